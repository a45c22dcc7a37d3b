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

// Files lists the files of a commit by their paths.
func (c Client) Files(ctx context.Context, commit string) (paths []string, err error) {
	var found struct {
		Tree []struct {
			Path string `json:"path"`
			Type string `json:"type"`
		} `json:"tree"`
		Truncated bool `json:"truncated"`
	}
	err = c.call(ctx, "GET", fmt.Sprintf("/git/trees/%s?recursive=1", url.PathEscape(commit)), nil, &found)
	if err == nil && found.Truncated {
		err = fmt.Errorf("github: %.10s has more files than GitHub lists; name the directories of the servers", commit)
	}
	for _, entry := range found.Tree {
		if entry.Type == "blob" {
			paths = append(paths, entry.Path)
		}
	}
	return paths, err
}

// mostChanged is how many files of a comparison GitHub lists.
const mostChanged = 300

// Changed lists the files that differ between the merge base of base and head, and head. known is false if GitHub does not list all.
func (c Client) Changed(ctx context.Context, base, head string) (paths []string, known bool, err error) {
	var found struct {
		Files []struct {
			Name   string `json:"filename"`
			Before string `json:"previous_filename"`
		} `json:"files"`
	}
	err = c.call(ctx, "GET", fmt.Sprintf("/compare/%s...%s?per_page=1", url.PathEscape(base), url.PathEscape(head)), nil, &found)
	for _, file := range found.Files {
		paths = append(paths, file.Name)
		if file.Before != "" {
			paths = append(paths, file.Before)
		}
	}
	return paths, len(found.Files) < mostChanged, err
}

// MayWrite reports whether a person may write to the repository.
func (c Client) MayWrite(ctx context.Context, login string) (bool, error) {
	var found struct {
		Permission string `json:"permission"` // admin, write, read or none
	}
	err := c.call(ctx, "GET", fmt.Sprintf("/collaborators/%s/permission", url.PathEscape(login)), nil, &found)
	if errors.Is(err, errNotFound) {
		return false, nil
	}
	return found.Permission == "admin" || found.Permission == "write", err
}

// errNotFound is GitHub's answer 404.
var errNotFound = errors.New(http.StatusText(http.StatusNotFound))
