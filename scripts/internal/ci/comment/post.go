package comment

import (
	"context"
	"strings"

	"fairstream/scripts/internal/ci/github"
	"fairstream/scripts/internal/ci/plan"
)

// marker identifies our comment. In an answer the revision follows it.
const marker = "<!-- fairstream -->"

// markerOf is the marker of a plan's comment. Each server of another repository has a workflow job, and so a comment, of
// its own.
func markerOf(p plan.Plan) string {
	if p.Directory == "" {
		return marker
	}
	return "<!-- fairstream: " + p.Directory + " -->"
}

func answered(revision string) string { return answeredWith(marker, revision) }

func answeredWith(marker, revision string) string {
	return marker + "\n<!-- answer about " + revision + " -->"
}

// author writes our comments. Anybody may write our marker.
const author = github.Bot

// Post makes body, which begins with its marker, our comment under a pull request. It edits our comment if there is one. Only
// another answer replaces an answer about the same revision, so that a workflow that starts again
// does not remove it.
func Post(ctx context.Context, c github.Client, pull int, revision, body string) error {
	all, err := c.Comments(ctx, pull)
	if err != nil {
		return err
	}
	marker, _, _ := strings.Cut(body, "\n")
	answered := answeredWith(marker, revision)
	for _, old := range all {
		if old.User.Login == author && strings.HasPrefix(old.Body, marker) {
			if strings.HasPrefix(old.Body, answered) && !strings.HasPrefix(body, answered) {
				return nil
			}
			return c.EditComment(ctx, old.ID, body)
		}
	}
	return c.CreateComment(ctx, pull, body)
}
