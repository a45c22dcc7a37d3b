package github

// A Run is one of a workflow.
type Run struct {
	Repository string // https://github.com/owner/name
	ID         string
	Attempt    int // from 1
}

// URL is where people see it.
func (r Run) URL() string { return r.Repository + "/actions/runs/" + r.ID }
