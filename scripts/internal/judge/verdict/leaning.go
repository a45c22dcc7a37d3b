package verdict

// Leaning says to which side an inconclusive cell leans: "worse" or "better". Its whole 95 % interval is then outside
// its margin, where the verdict needs more: all cells and looks share its risk. It is "" for any other cell.
func (c Cell) Leaning() string {
	up, down := c.Low > c.Criterion.Margin, c.High < -c.Criterion.Margin
	switch {
	case c.Verdict != Inconclusive || c.excused() || c.Unconfirmed || !up && !down:
		return ""
	case up == (c.Metric.Better == "lower"):
		return "worse"
	}
	return "better"
}
