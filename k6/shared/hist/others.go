package hist

// Limits of other programs and of the host in slices, in percent of the time of all cores. With more, figures say more
// about the others than about a target.
const (
	MostOthersPct = 25 // other programs
	MostStealPct  = 10 // the host of a virtual machine
)

// OthersPct is what other programs used of the cores, in percent: their busy time less that of our processes. All is
// the time of all cores. The three have one unit.
func OthersPct(busy, ours, all float64) float64 { return 100 * max(0, busy-ours) / all }

// Disturbance is how much others used of the cores in slices together, as a part of their limit. Above 1 the slices are
// disturbed. Unknown counts as 0. Ask for a whole cycle: the cores are read in ticks of 10 ms, so one short slice says
// little.
func Disturbance(of []Slice, cores int) float64 {
	var took, busy, steal, ours float64
	for _, s := range of {
		// The CPU time of our ended processes would count as that of other programs.
		if s.MachineBusyMS == nil || s.MachineStealMS == nil || len(s.Lost) > 0 {
			return 0
		}
		took, busy, steal = took+s.TookMS, busy+*s.MachineBusyMS, steal+*s.MachineStealMS
		for _, used := range s.CPUMS {
			ours += used
		}
	}
	all := took * float64(cores)
	return max(OthersPct(busy, ours, all)/MostOthersPct, 100*steal/all/MostStealPct)
}
