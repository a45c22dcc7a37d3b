package plan

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"fairstream/scripts/internal/ci/github"
)

// A runHead is what the event of a workflow run says of the code that the run was for.
type runHead struct {
	HeadSHA        string `json:"head_sha"`
	HeadBranch     string `json:"head_branch"`
	HeadRepository struct {
		FullName string `json:"full_name"`
		Owner    struct {
			Login string `json:"login"`
		} `json:"owner"`
	} `json:"head_repository"`
}

// noPull is why nothing is measured when a run has no pulls.
const noPull = "no open pull request has this head any more"

// pulls are the open pull requests that a run was for: the event names none that is from a fork. A fork of the same
// owner may have the same branch and commit as this repository, so the run's own repository counts. That of a pull
// request may be deleted.
func (h runHead) pulls(ctx context.Context, gh github.Client) ([]github.Pull, error) {
	found, err := gh.PullsOf(ctx, h.HeadRepository.Owner.Login, h.HeadBranch)
	return slices.DeleteFunc(found, func(pr github.Pull) bool {
		repo := pr.Head.Repo
		return pr.Head.SHA != h.HeadSHA || repo != nil && repo.FullName != h.HeadRepository.FullName
	}), err
}

// outside says why a pull request is not from a person who may push to the repository; "" when it is.
func (at Place) outside(pr github.Pull) string {
	switch {
	case at.isFork(pr):
		return "comes from a fork"
	case isBot(pr.User):
		return "was made by a bot"
	}
	return ""
}

// isFork reports whether the branch of a pull request is in another repository, or in none any more.
func (at Place) isFork(pr github.Pull) bool {
	return pr.Head.Repo == nil || pr.Head.Repo.FullName != at.GitHub.Repository
}

// isBot reports whether an account is an app.
func isBot(u github.User) bool { return u.Type == "Bot" || strings.HasSuffix(u.Login, "[bot]") }

// page is a pull request's page.
func (at Place) page(pr github.Pull) string {
	return fmt.Sprintf("%s/%s/pull/%d", github.ServerURL(), at.GitHub.Repository, pr.Number)
}

// byHand says how a person starts the comparison. It offers no hash, since that of the newest push is not
// the one that somebody read.
func (at Place) byHand(pr github.Pull) string {
	return fmt.Sprintf("choose *Actions*, *pull-request*, *Run workflow*, with pull request %d and the full SHA of the [commit](%s/commits) that was read", pr.Number, at.page(pr))
}
