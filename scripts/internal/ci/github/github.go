// Package github calls GitHub's REST API for pull requests, comments, issues and waiting jobs. It knows
// nothing of benchmarks.
package github

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"fairstream/scripts/internal/cli"
)

// A Client talks to one repository.
type Client struct {
	API        string // https://api.github.com
	Repository string // owner/name
	Token      string
}

// A Pull is a pull request.
type Pull struct {
	Number int    `json:"number"`
	State  string `json:"state"`
	Head   Branch `json:"head"`
	Base   Branch `json:"base"`
	User   User   `json:"user"`
}

// A Branch is one end of a pull request. Repo is null for a deleted repository.
type Branch struct {
	Ref  string `json:"ref"`
	SHA  string `json:"sha"`
	Repo *struct {
		FullName string `json:"full_name"`
	} `json:"repo"`
}

// A User is an author. Type is "Bot" for apps.
type User struct {
	Login string `json:"login"`
	Type  string `json:"type"`
}

// A Comment belongs to a pull request or an issue.
type Comment struct {
	ID   int64  `json:"id"`
	Body string `json:"body"`
	User User   `json:"user"`
}

// Bot is the author of texts that a workflow's token wrote.
const Bot = "github-actions[bot]"

// Pull gets a pull request by its number.
func (c Client) Pull(ctx context.Context, number int) (p Pull, err error) {
	return p, c.call(ctx, "GET", fmt.Sprintf("/pulls/%d", number), nil, &p)
}

// PullsOf lists the open pull requests from a branch of an owner's repository.
func (c Client) PullsOf(ctx context.Context, owner, branch string) (found []Pull, err error) {
	query := url.Values{"state": {"open"}, "head": {owner + ":" + branch}, "per_page": {"100"}}
	return found, c.call(ctx, "GET", "/pulls?"+query.Encode(), nil, &found)
}

const perPage, maxPages = 100, 100

// pages reads all pages of a list. path ends where the page number follows.
func pages[T any](ctx context.Context, c Client, path string) (all []T, err error) {
	for page := 1; page <= maxPages; page++ {
		var some []T
		if err := c.call(ctx, "GET", fmt.Sprintf("%sper_page=%d&page=%d", path, perPage, page), nil, &some); err != nil {
			return nil, err
		}
		if all = append(all, some...); len(some) < perPage {
			return all, nil
		}
	}
	return nil, fmt.Errorf("github: %s: more than %d entries", strings.TrimRight(path, "?&"), perPage*maxPages)
}

// Comments lists all comments of a pull request, oldest first.
func (c Client) Comments(ctx context.Context, pull int) ([]Comment, error) {
	return pages[Comment](ctx, c, fmt.Sprintf("/issues/%d/comments?", pull))
}

// CreateComment writes a new comment under a pull request or an issue.
func (c Client) CreateComment(ctx context.Context, pull int, body string) error {
	return c.call(ctx, "POST", fmt.Sprintf("/issues/%d/comments", pull), map[string]string{"body": body}, nil)
}

// EditComment replaces a comment's text.
func (c Client) EditComment(ctx context.Context, id int64, body string) error {
	return c.call(ctx, "PATCH", fmt.Sprintf("/issues/comments/%d", id), map[string]string{"body": body}, nil)
}

// tries limits how often a failed request is repeated. A new comment is sent once, since GitHub may have
// accepted it before the answer was lost.
const tries = 3

// pause grows with the number of failed tries.
var pause = 2 * time.Second

func (c Client) call(ctx context.Context, method, path string, body, into any) error {
	for try := 1; ; try++ {
		again, err := c.once(ctx, method, path, body, into)
		if err == nil {
			return nil
		}
		err = fmt.Errorf("github: %s /repos/%s%s: %w", method, c.Repository, path, err)
		if once := method == "POST" && !strings.HasPrefix(path, statusesPath) && !strings.HasSuffix(path, cancelPath); !again || try == tries || once {
			return err
		}
		if ended := cli.Sleep(ctx, pause*time.Duration(try)); ended != nil {
			return errors.Join(err, ended)
		}
	}
}

// maxAnswer exceeds a page of comments, which have at most 65,536 characters each.
const maxAnswer = 64 << 20

// once makes one request. again says whether another try may succeed.
func (c Client) once(ctx context.Context, method, path string, body, into any) (again bool, err error) {
	var data io.Reader
	if body != nil {
		encoded, err := json.Marshal(body)
		if err != nil {
			return false, err
		}
		data = bytes.NewReader(encoded)
	}
	req, err := http.NewRequestWithContext(ctx, method, strings.TrimSuffix(c.API, "/")+"/repos/"+c.Repository+path, data)
	if err != nil {
		return false, err
	}
	req.Header.Set("Accept", "application/vnd.github+json")
	req.Header.Set("X-GitHub-Api-Version", "2022-11-28")
	if c.Token != "" {
		req.Header.Set("Authorization", "Bearer "+c.Token)
	}
	resp, err := (&http.Client{Timeout: 30 * time.Second}).Do(req)
	if err != nil {
		return true, err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	if err != nil {
		return true, err
	}
	if resp.StatusCode/100 != 2 {
		var said struct {
			Message string `json:"message"`
		}
		json.Unmarshal(answer, &said) // an answer without JSON has no message
		if resp.StatusCode == http.StatusNotFound {
			return false, fmt.Errorf("%s: %q: %w", resp.Status, said.Message, errNotFound)
		}
		return resp.StatusCode/100 == 5 || resp.StatusCode == http.StatusTooManyRequests, fmt.Errorf("%s: %q", resp.Status, said.Message)
	}
	if into == nil {
		return false, nil
	}
	return false, json.Unmarshal(answer, into)
}

// ServerURL is the address of GitHub for people. A job may set it.
func ServerURL() string {
	if url := os.Getenv("GITHUB_SERVER_URL"); url != "" {
		return url
	}
	return "https://github.com"
}
