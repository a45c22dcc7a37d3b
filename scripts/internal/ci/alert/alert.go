// Package alert says what needs a person. It keeps one issue for each matter, such as a server that regressed. It opens
// the issue and finds it again while it is open. It closes none; people decide what is settled. The watchdog ends a
// workflow run that holds the benchmark machine while no job of it runs there.
package alert

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"fairstream/scripts/internal/ci/github"
)

// An Issue reports one matter.
type Issue struct {
	Key   string `json:"key"`   // identifies the matter: "relay.go-http"
	About string `json:"about"` // such as a range of commits; each is reported once
	Title string `json:"title"`
	Body  string `json:"body"` // Markdown
}

// A state is hidden in the first line of an issue. first is what opened the issue, last is the newest report,
// and noted lists the notes since. Anybody may write such a line, so find checks the author.
type state struct{ key, first, last, noted string }

var stateForm = regexp.MustCompile(`^<!-- fairstream alert ([a-z0-9.-]+), first ([0-9a-z.]*), last ([0-9a-z.]*), noted ([a-z+]*) -->\r?\n`)

func (s state) line() string {
	return fmt.Sprintf("<!-- fairstream alert %s, first %s, last %s, noted %s -->\n", s.key, s.first, s.last, s.noted)
}

// find returns the open issue of a matter and its state; nil without one.
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

// Raise opens the issue of a matter. When the issue is open, a new finding adds a comment, which notifies
// people. A known finding updates the body. A finding after a note counts as new.
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
	return nil // the workflow run was started again
}

// Note adds a comment to the open issue of a matter. Each kind, a word, is noted once until the matter is
// raised again.
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

// rest returns a body without its state.
func rest(body string) string { return body[len(stateForm.FindString(body)):] }
