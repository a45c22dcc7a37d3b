package github

import (
	"context"
	"fmt"
)

// An Issue belongs to the repository.
type Issue struct {
	Number int    `json:"number"`
	Body   string `json:"body"`
	User   User   `json:"user"`
}

// OpenIssues lists all open issues, newest first, with pull requests.
func (c Client) OpenIssues(ctx context.Context) ([]Issue, error) {
	return pages[Issue](ctx, c, "/issues?state=open&")
}

// CreateIssue opens an issue.
func (c Client) CreateIssue(ctx context.Context, title, body string) error {
	return c.call(ctx, "POST", "/issues", map[string]string{"title": title, "body": body}, nil)
}

// EditIssue replaces an issue's text.
func (c Client) EditIssue(ctx context.Context, number int, body string) error {
	return c.call(ctx, "PATCH", fmt.Sprintf("/issues/%d", number), map[string]string{"body": body}, nil)
}
