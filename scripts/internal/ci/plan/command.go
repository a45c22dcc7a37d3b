package plan

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"fairstream/scripts/internal/ci/github"
	"fairstream/scripts/internal/judge/record"
)

// A Command is the first line of a comment under a pull request: /benchmark SHA [server...] [-within 6m].
type Command struct {
	SHA     string
	Servers []string      // all that the pull request touches without any
	Within  time.Duration // limit of the load of each comparison; 0: none
}

// Limits of -within.
const (
	leastWithin = time.Minute
	mostWithin  = time.Hour
)

// validWithin checks the text of a limit.
func validWithin(text string) bool {
	d, err := time.ParseDuration(text)
	return text == "" || err == nil && d >= leastWithin && d <= mostWithin
}

func (c Command) within() string {
	if c.Within == 0 {
		return ""
	}
	return c.Within.String()
}

const commandForm = "/benchmark SHA [server...] [-within 6m], with the full SHA of the commit that you read"

// ParseCommand reads the first line of a comment. ok is false for any other comment.
func ParseCommand(comment string) (c Command, ok bool, err error) {
	line, _, _ := strings.Cut(strings.TrimSpace(comment), "\n")
	all := strings.Fields(line)
	if len(all) == 0 || all[0] != "/benchmark" {
		return c, false, nil
	}
	for i := 1; i < len(all); i++ {
		word := all[i]
		switch {
		case word == "-within" && i+1 < len(all):
			i++
			if c.Within, err = time.ParseDuration(all[i]); err != nil || c.Within < leastWithin || c.Within > mostWithin {
				return c, true, fmt.Errorf("-within %.20q: want a duration of %v to %v, such as 6m", all[i], leastWithin, mostWithin)
			}
		case strings.HasPrefix(word, "-"):
			return c, true, fmt.Errorf("%.20q: unknown; want %s", word, commandForm)
		case c.SHA == "":
			c.SHA = word
		case !slices.Contains(c.Servers, word):
			c.Servers = append(c.Servers, word)
		}
	}
	if !record.IsCommit(c.SHA) {
		return c, true, fmt.Errorf("commit %.60q; want %s", c.SHA, commandForm)
	}
	return c, true, nil
}

// commented is the part of the event of a comment that is read.
type commented struct {
	Issue struct {
		Number      int       `json:"number"`
		PullRequest *struct{} `json:"pull_request"` // null for an issue
	} `json:"issue"`
	Comment github.Comment `json:"comment"`
}

// command reads the command of a comment. say is why it is refused: the person may not write, or the commit is not the head of the
// pull request.
func (at Place) command(ctx context.Context, p commented) (pull github.Pull, c Command, say string, err error) {
	if p.Issue.PullRequest == nil || p.Issue.Number < 1 {
		return pull, c, "", InputError{fmt.Errorf("plan: issue_comment: the comment is not under a pull request")}
	}
	if pull, err = at.GitHub.Pull(ctx, p.Issue.Number); err != nil {
		return pull, c, "", err
	}
	c, ok, wrong := ParseCommand(p.Comment.Body)
	if !ok {
		return pull, c, "", InputError{fmt.Errorf("plan: issue_comment: it does not begin with /benchmark")}
	}
	may, err := at.GitHub.MayWrite(ctx, p.Comment.User.Login)
	switch {
	case err != nil:
		return pull, c, "", err
	case !may:
		say = "only people who may write to this repository start a comparison"
	case wrong != nil:
		say = "`/benchmark` was not understood: " + strings.ReplaceAll(wrong.Error(), "`", "'")
	case pull.State != "open":
		say = "the pull request is not open"
	case c.SHA != pull.Head.SHA: // the answer has no hash to paste unread
		say = fmt.Sprintf("`%.10s` is not the head of this pull request. Read [what is new](%s/files), and give the hash that you have read", c.SHA, at.page(pull))
	}
	return pull, c, say, nil
}
