package verdict

// Leaning says to which side an inconclusive cell leans: "worse" or "better". Its whole 95 % interval is then outside
// its margin, where the verdict needs more: all cells and looks share its risk. It is "" for any other cell.
func (c Cell) Leaning() string {
	switch {
	case c.Verdict != Inconclusive || c.Unconfirmed || !c.beyondMargin():
		return ""
	case c.Change > 0 == (c.Metric.Better == "lower"):
		return "worse"
	}
	return "better"
}

// beyondMargin reports whether the whole interval is outside the margin.
func (c Cell) beyondMargin() bool { return c.Low > c.Criterion.Margin || c.High < -c.Criterion.Margin }
