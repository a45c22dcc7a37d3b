package raw

// A steady clock makes of pidstat's seconds, which are those of the wall clock, some
// that never go back, and that no second has twice: seconds are counted, and their
// samples summed. While the clock is behind what it was before it was set, a second
// follows the one before; so it does where the clock was set forward.
type steady struct {
	started   bool
	next      bool  // the sample that comes is of another second
	last, was int64 // the second as it is told, and as pidstat has it
	ahead     int64 // by how much the clock was set forward
}

// mostSkipped is how many seconds may be missing between two of pidstat's: it may not
// get a core for as long.
const mostSkipped = 60

// begin begins a second: pidstat prints a header for each.
func (c *steady) begin() { c.next = true }

// read takes the time of a sample.
func (c *steady) read(second int64) int64 {
	switch {
	case !c.started:
		c.started, c.last = true, second
	case c.next || second != c.was:
		told := second - c.ahead
		if told-c.last > mostSkipped {
			c.ahead += told - c.last - 1
		}
		c.last = max(second-c.ahead, c.last+1)
	}
	c.next, c.was = false, second
	return c.last
}
