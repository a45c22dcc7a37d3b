package github

// A Run is one run of a workflow.
type Run struct {
	Repository string // https://github.com/owner/name
	ID         string
	Attempt    int // from 1
}

// URL is the page of the run.
func (r Run) URL() string { return r.Repository + "/actions/runs/" + r.ID }
