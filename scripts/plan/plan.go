// Package plan is what one workflow run sets out to measure.
package plan

// A Plan is what one workflow run sets out to measure.
type Plan struct {
	Kind      string   `json:"kind"` // main or pull
	Revision  string   `json:"revision"`
	Base      string   `json:"base"`
	Pull      int      `json:"pull"`
	Servers   []string `json:"servers"`
	Scenarios string   `json:"scenarios"`
	Rounds    int      `json:"rounds"`
	Quick     bool     `json:"quick"`
	Reason    string   `json:"reason"`
	Say       string   `json:"say"`
	Title     string   `json:"title"`
}
