package comment

import (
	"context"
	"strings"

	"fairstream/scripts/internal/ci/github"
)

// marker identifies our comment. In an answer the revision follows it.
const marker = "<!-- fairstream -->"

func answered(revision string) string { return marker + "\n<!-- answer about " + revision + " -->" }

// author writes our comments. Anybody may write our marker.
const author = github.Bot

// Post makes body our comment under a pull request. It edits our comment if there is one. Only
// another answer replaces an answer about the same revision, so that a workflow that starts again
// does not remove it.
func Post(ctx context.Context, c github.Client, pull int, revision, body string) error {
	all, err := c.Comments(ctx, pull)
	if err != nil {
		return err
	}
	for _, old := range all {
		if old.User.Login == author && strings.HasPrefix(old.Body, marker) {
			if strings.HasPrefix(old.Body, answered(revision)) && !strings.HasPrefix(body, answered(revision)) {
				return nil
			}
			return c.EditComment(ctx, old.ID, body)
		}
	}
	return c.CreateComment(ctx, pull, body)
}
