package github

import "context"

// A Status is a result that GitHub shows beside a commit, and that a branch can require. The
// latest status of a context counts.
type Status struct {
	Context     string `json:"context"`
	State       string `json:"state"`       // pending, success, failure, error
	Description string `json:"description"` // at most 140 characters
	URL         string `json:"target_url"`
}

// SetStatus adds a status to a commit.
func (c Client) SetStatus(ctx context.Context, commit string, s Status) error {
	return c.call(ctx, "POST", statusesPath+commit, s, nil)
}

// statusesPath begins the path of a POST that is safe to repeat: the same status twice is one status.
const statusesPath = "/statuses/"
