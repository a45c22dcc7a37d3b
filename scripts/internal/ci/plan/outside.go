package plan

import (
	"fmt"
	"strings"

	"fairstream/scripts/internal/ci/github"
)

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
