// Package alert keeps one issue for each matter, such as a server that regressed. It opens the
// issue and finds it again while it is open. It closes none; people decide what is settled.
package alert

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"fairstream/scripts/internal/ci/github"
)

// An Issue reports a matter.
type Issue struct {
	Key   string `json:"key"`   // identifies the matter: "relay.go-http"
	About string `json:"about"` // such as a range of commits; each is reported once
	Title string `json:"title"`
	Body  string `json:"body"` // Markdown
}

// A state is hidden in the first line of our issues: what it was opened about, what was reported
// last, and which notes followed. Anybody may write such a line, so the author is checked.
type state struct{ key, first, last, noted string }

var stateForm = regexp.MustCompile(`^<!-- fairstream alert ([a-z0-9.-]+), first ([0-9a-z.]*), last ([0-9a-z.]*), noted ([a-z+]*) -->\r?\n`)

func (s state) line() string {
	return fmt.Sprintf("<!-- fairstream alert %s, first %s, last %s, noted %s -->\n", s.key, s.first, s.last, s.noted)
}

// find is the open issue of a matter, with its state; nil when there is none.
func find(ctx context.Context, c github.Client, key string) (*github.Issue, state, error) {
	all, err := c.OpenIssues(ctx)
	if err != nil {
		return nil, state{}, err
	}
	for _, issue := range all {
		m := stateForm.FindStringSubmatch(issue.Body)
		if m != nil && m[1] == key && issue.User.Login == github.Bot {
			return &issue, state{m[1], m[2], m[3], m[4]}, nil
		}
	}
	return nil, state{}, nil
}

// Raise opens the issue of a matter. In an open issue it updates the body where nothing is new,
// and adds a comment, which notifies people, where something is. The same finding after a note is
// new too.
func Raise(ctx context.Context, c github.Client, i Issue) error {
	old, s, err := find(ctx, c, i.Key)
	if err != nil {
		return err
	}
	now := state{i.Key, i.About, i.About, ""}
	switch {
	case old == nil:
		return c.CreateIssue(ctx, i.Title, now.line()+i.Body)
	case s.last != i.About || s.noted != "":
		if err := c.CreateComment(ctx, old.Number, i.Body); err != nil {
			return err
		}
		now.first = s.first
		return c.EditIssue(ctx, old.Number, now.line()+rest(old.Body))
	case s.first == i.About:
		return c.EditIssue(ctx, old.Number, now.line()+i.Body)
	}
	return nil // a run that was started again
}

// Note adds a comment to the open issue of a matter, if there is one. It adds one of each kind, a
// word, until the matter comes up again.
func Note(ctx context.Context, c github.Client, key, kind, text string) error {
	old, s, err := find(ctx, c, key)
	if err != nil || old == nil {
		return err
	}
	for noted := range strings.SplitSeq(s.noted, "+") {
		if noted == kind {
			return nil
		}
	}
	if err := c.CreateComment(ctx, old.Number, text); err != nil {
		return err
	}
	s.noted = strings.TrimPrefix(s.noted+"+"+kind, "+")
	return c.EditIssue(ctx, old.Number, s.line()+rest(old.Body))
}

// rest is a body without its state.
func rest(body string) string { return body[len(stateForm.FindString(body)):] }
