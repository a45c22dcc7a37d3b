package github

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// MergeBase returns the newest commit in the history of both a branch, tag or commit, and a commit.
func (c Client) MergeBase(ctx context.Context, base, head string) (string, error) {
	var found struct {
		MergeBase struct {
			SHA string `json:"sha"`
		} `json:"merge_base_commit"`
	}
	err := c.call(ctx, "GET", fmt.Sprintf("/compare/%s...%s?per_page=1", url.PathEscape(base), url.PathEscape(head)), nil, &found)
	return found.MergeBase.SHA, err
}

// File returns a file of a commit; nil without the file. GitHub gives files up to 1 MB.
func (c Client) File(ctx context.Context, commit, path string) ([]byte, error) {
	var found struct {
		Content string `json:"content"` // base64, in lines
	}
	err := c.call(ctx, "GET", fmt.Sprintf("/contents/%s?ref=%s", strings.ReplaceAll(url.PathEscape(path), "%2F", "/"), url.QueryEscape(commit)), nil, &found)
	if errors.Is(err, errNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return base64.StdEncoding.DecodeString(strings.ReplaceAll(found.Content, "\n", ""))
}

// errNotFound is GitHub's answer 404.
var errNotFound = errors.New(http.StatusText(http.StatusNotFound))
