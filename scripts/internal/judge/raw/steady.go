package raw

// A steady clock counts pidstat's seconds so that none repeats or goes back, although pidstat follows the
// wall clock. After the wall clock was set back or forward, the next second still follows the one before.
type steady struct {
	started   bool
	next      bool  // the next sample begins another second
	last, was int64 // the second in our count, and in pidstat's
	ahead     int64 // seconds by which the clock was set forward
}

// mostSkipped is the number of seconds that pidstat may skip. It may get no core for that time.
const mostSkipped = 60

// begin starts a second. pidstat prints a header for each.
func (c *steady) begin() { c.next = true }

// read returns the second of a sample.
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
