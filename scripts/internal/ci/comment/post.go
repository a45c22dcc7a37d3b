package comment

import (
	"context"
	"strings"

	"fairstream/scripts/internal/ci/github"
)

// marker is how our comment is found again. Behind it stands, in an answer,
// what it is an answer about.
const marker = "<!-- fairstream -->"

func answered(revision string) string { return marker + "\n<!-- answer about " + revision + " -->" }

// author is who writes ours. Anybody may write our marker.
const author = github.Bot

// Post makes body our comment under a pull request: the one there is, edited,
// or a new one. An answer about the same revision gives way to another answer
// only, so that a workflow that starts again does not take it away.
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
