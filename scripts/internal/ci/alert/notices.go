package alert

import (
	"context"
	"errors"

	"fairstream/k6/shared/strict"
	"fairstream/scripts/internal/ci/branch"
	"fairstream/scripts/internal/ci/github"
)

// Notices are the issues and notes about main's servers. collect makes them, and alert posts them
// from a job that may write issues.
type Notices struct {
	Issues []Issue `json:"issues"`
	Notes  []Text  `json:"notes"`
	Unread string  `json:"unread"` // names the files under accepted/ that cannot be read, or ""
}

// A Text is a note on the issue of a matter.
type Text struct {
	Key  string `json:"key"`
	Kind string `json:"kind"` // a word
	Body string `json:"body"` // Markdown
}

// NewNotices makes the notices of verdicts. unread is the error of accept.Read, or nil.
func NewNotices(verdicts []branch.Verdict, unread error, run github.Run) Notices {
	n := Notices{Issues: []Issue{}, Notes: []Text{}}
	if unread != nil {
		n.Unread = unread.Error()
	}
	for _, v := range verdicts {
		if v.Alerts() {
			n.Issues = append(n.Issues, Regressed(v, run))
		} else if kind, text := Calm(v, run); kind != "" {
			n.Notes = append(n.Notes, Text{v.Server.Dotted(), kind, text})
		}
	}
	return n
}

// Parse reads notices as JSON, strictly.
func Parse(text string) (n Notices, err error) {
	err = strict.Decode([]byte(text), &n)
	return n, err
}

// Post writes all notices, even after an error.
func (n Notices) Post(ctx context.Context, c github.Client) (err error) {
	for _, i := range n.Issues {
		err = errors.Join(err, Raise(ctx, c, i))
	}
	for _, t := range n.Notes {
		err = errors.Join(err, Note(ctx, c, t.Key, t.Kind, t.Body))
	}
	return err
}
