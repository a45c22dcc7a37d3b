package usage

import (
	"fmt"
	"maps"
	"testing"
	"testing/fstest"
)

// at is a machine of two cores after some seconds. Each core has 100 ticks a second, busy and stolen as given.
func at(seconds, busy, steal int, processes map[int]string) fstest.MapFS {
	idle := 200*seconds - busy - steal
	root := fstest.MapFS{"proc/stat": {Data: fmt.Appendf(nil, "cpu 0\ncpu0 %d 0 0 %d 0 0 0 %d 0 0\ncpu1 0 0 0 0 0 0 0 0 0 0\n", busy, idle, steal)}}
	for pid, stat := range processes {
		root[fmt.Sprintf("proc/%d/stat", pid)] = &fstest.MapFile{Data: fmt.Appendf(nil, "%d %s", pid, stat)}
	}
	return root
}

// stat is the rest of a line of /proc/PID/stat.
func stat(command string, parent, used, waited, started int) string {
	return fmt.Sprintf("(%s) S %d 1 1 0 -1 0 0 0 0 0 %d 0 %d 0 20 0 1 0 %d", command, parent, used, waited, started)
}

const us = 50

func TestUse(t *testing.T) {
	base := map[int]string{1: stat("init", 0, 7, 0, 1), us: stat("bench", 1, 100, 1000, 2)}
	with := func(more map[int]string) map[int]string {
		all := maps.Clone(base)
		maps.Copy(all, more)
		return all
	}
	for name, c := range map[string]struct {
		before, after map[int]string
		busy, steal   int // in 10 s of two cores: 2,000 ticks
		want          string
		total         float64
	}{
		"nobody": {base, base, 0, 0, "", 0},
		"ours alone, with children that ended, live, or were adopted": {base, with(map[int]string{
			us: stat("bench", 1, 200, 1300, 2), 51: stat("sh", us, 100, 0, 30), 52: stat("k6", 51, 300, 0, 30),
		}), 800, 0, "", 0},
		"a program that runs all the time": {with(map[int]string{9: stat("hog", 1, 5000, 0, 3)}), with(map[int]string{9: stat("hog", 1, 5900, 0, 3)}), 900, 0,
			"hog (9) used 45 % of the machine", 45},
		"several of one name, and others": {base, with(map[int]string{
			9: stat("hog", 1, 400, 0, 20), 10: stat("hog", 1, 200, 0, 20), 11: stat("\x1b[2J", 1, 100, 0, 20), 12: stat("idle", 1, 10, 0, 20),
		}), 710, 0, `hog (2 processes) used 30 % of the machine, \x1b[2J (11) used 5 %`, 35.5},
		"children that ended count for their parent, without their time before": {
			with(map[int]string{9: stat("make", 1, 10, 500, 3), 10: stat("sh", 9, 10, 90, 3), 11: stat("cc", 10, 300, 0, 3)}),
			with(map[int]string{9: stat("make", 1, 20, 1290, 3)}), 400, 0, "make (9) used 20 % of the machine", 20},
		"another process with the pid": {with(map[int]string{9: stat("old", 1, 5000, 0, 3)}), with(map[int]string{9: stat("new", 1, 200, 0, 30)}), 200, 0,
			"new (9) used 10 % of the machine", 10},
		"a parent that does not wait":  {with(map[int]string{9: stat("sh", 1, 10, 0, 3), 10: stat("cc", 9, 500, 0, 3)}), with(map[int]string{9: stat("sh", 1, 15, 0, 3)}), 0, 0, "", 0},
		"programs outside a container": {base, base, 620, 0, "programs that /proc does not show used 31 % of the machine", 31},
		"clocks that differ":           {base, base, 90, 0, "", 4.5},
		"the host": {with(map[int]string{9: stat("hog", 1, 0, 0, 3)}), with(map[int]string{9: stat("hog", 1, 200, 0, 3)}), 200, 400,
			"hog (9) used 10 % of the machine, the host of the virtual machine took 20 % (steal)", 30},
	} {
		t.Run(name, func(t *testing.T) {
			use, ok := Between(Read(at(0, 0, 0, c.before)), Read(at(10, c.busy, c.steal, c.after)), us)
			if got := use.String(); !ok || got != c.want || use.Total() != c.total {
				t.Errorf("got %q, %v %%, %v; want %q, %v %%", got, use.Total(), ok, c.want, c.total)
			}
		})
	}
}

// Without /proc/stat, or with other cores, nothing is known.
func TestUnknownUse(t *testing.T) {
	some, none := Read(at(10, 100, 0, nil)), Read(fstest.MapFS{})
	fewer := Read(fstest.MapFS{"proc/stat": {Data: []byte("cpu0 1 1 1 90000 1 1 1 1 1 1\n")}})
	for _, pair := range [][2]Reading{{none, none}, {none, some}, {some, none}, {some, some}, {some, fewer}} {
		if use, ok := Between(pair[0], pair[1], us); ok || use.String() != "" {
			t.Errorf("%v: got %v, %v; want nothing", pair, use, ok)
		}
	}
}
