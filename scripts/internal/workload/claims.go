package workload

// A Source is somebody else's measurement of servers like those of a workload.
type Source struct {
	Title  string
	URL    string // "" if we know none
	Load   string // the load there
	Remark string // what else a reader should know
}

// A Claim is what a source says of a server, or of one server against another. Our figure of it is a metric in
// a scenario.
type Claim struct {
	Source *Source
	Text   string
	Of     string
	Than   string // "": the figure of Of itself is claimed to be above 0

	Scenario, Metric string

	// Low and High are the claimed ratio of Of to Than in this metric. They differ where the source says a range.
	// 1 says that both are the same.
	Low, High float64
}

// claimed is a claim with one ratio.
func claimed(s *Source, of, than, scenario, metric string, ratio float64, text string) Claim {
	return Claim{Source: s, Text: text, Of: of, Than: than, Scenario: scenario, Metric: metric, Low: ratio, High: ratio}
}
