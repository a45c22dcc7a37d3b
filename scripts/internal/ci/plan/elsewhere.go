package plan

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"regexp"
	"time"

	"fairstream/scripts/internal/ci/github"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/measure/server"
	"fairstream/scripts/internal/workload"
)

// An Elsewhere is a server in a repository of other people, whose workflow calls ours.
type Elsewhere struct {
	Directory string // of the server, in the repository
	Name      string // of the server; "" is that of the directory
	Base      string // branch, tag or hash; "" is the base of the pull request
	Revision  string // of the comparison that a comment starts, as it was checked before; "" checks it
	Rounds    int    // at most
	Quick     bool   // shortened load
	Code      Code
	GitHub    github.Client
	// Published are the commits in a commit's history that have published records, newest first. With it, a commit of
	// the default branch is planned; nil plans a pull request.
	Published func(ctx context.Context, commit string) ([]PublishedCommit, error)

	named []string // servers of the command in a comment
}

// Code reads commits of that repository: from a clone, or from GitHub where nothing of it may be checked out.
type Code interface {
	// MergeBase returns the newest commit in the history of both a branch, tag or hash, and a commit.
	MergeBase(ctx context.Context, base, head string) (string, error)
	// File returns a file of a commit; nil without the file.
	File(ctx context.Context, commit, path string) ([]byte, error)
	// Files lists the files of a commit by their paths.
	Files(ctx context.Context, commit string) ([]string, error)
	// Changed lists the files that differ between the merge base of base and head, and head. known is false for too many of them.
	Changed(ctx context.Context, base, head string) (paths []string, known bool, err error)
}

// pullEvent is the part of the event's payload that is read: of pull_request, or of workflow_run.
type pullEvent struct {
	PullRequest *github.Pull `json:"pull_request"`
	commented
	WorkflowRun *struct {
		ID      int64     `json:"id"`
		Attempt int       `json:"run_attempt"`
		Event   string    `json:"event"`
		Began   time.Time `json:"created_at"` // of its first attempt
		runHead
	} `json:"workflow_run"`
}

// directoryForm excludes what Markdown, HTML and shells interpret.
var directoryForm = regexp.MustCompile(`^[0-9A-Za-z._@+-]+( [0-9A-Za-z._@+-]+)*(/[0-9A-Za-z._@+-]+( [0-9A-Za-z._@+-]+)*)*$`)

// Make plans what an event asks for: the comparison of a pull request, or figures of a commit of the default branch. A
// plan without servers says why in Say.
func (at Elsewhere) Make(ctx context.Context, e Event) (Plan, error) {
	var err error
	if at.Directory, err = directory(at.Directory); err != nil {
		return Plan{}, err
	}
	if at.Rounds < leastPull || at.Rounds > maxPull {
		return Plan{}, InputError{fmt.Errorf("plan: %d rounds; want %d to %d, such as %d", at.Rounds, leastPull, maxPull, pullRounds)}
	}
	if at.Published != nil {
		return at.onBranch(ctx, e)
	}
	plan := Plan{Kind: Pull, Rounds: at.Rounds, Quick: at.Quick, Directory: at.Directory}
	pull, err := at.pull(ctx, e, &plan)
	if err != nil || plan.Say != "" {
		return plan, err
	}
	place := Place{GitHub: at.GitHub}
	plan.Pull, plan.Revision, plan.Foreign = pull.Number, pull.Head.SHA, place.outside(pull) != ""
	plan.Bot = plan.Foreign && !place.isFork(pull)
	base := at.Base
	if base == "" {
		base = pull.Base.SHA
	}
	if plan.Base, err = at.Code.MergeBase(ctx, base, plan.Revision); err != nil {
		return plan, err
	}
	id, err := at.server(ctx, &plan)
	if err != nil || plan.Say != "" {
		return plan, errors.Join(err, plan.check())
	}
	file := path.Join(at.Directory, server.File)
	before, err := at.Code.File(ctx, plan.Base, file)
	if err != nil {
		return plan, err
	}
	if before == nil {
		plan.Say = fmt.Sprintf("base, %.10s, has no `%s`, so there is nothing to compare with. Later pull requests are compared", plan.Base, file)
		return plan, plan.check()
	}
	plan.Servers = []workload.Server{id}
	return plan, plan.check()
}

// server is the one of the plan's revision. Without it, Say has the reason.
func (at Elsewhere) server(ctx context.Context, plan *Plan) (id workload.Server, err error) {
	file := path.Join(at.Directory, server.File)
	text, err := at.Code.File(ctx, plan.Revision, file)
	if err != nil {
		return id, err
	}
	if text == nil {
		plan.Say = fmt.Sprintf("%.10s has no `%s`, so there is no server to measure", plan.Revision, file)
		return id, nil
	}
	server, err := server.Parse(text, path.Join("/", at.name()))
	if err != nil {
		plan.Say = fmt.Sprintf("`%s` of %.10s cannot be read; `scripts/bench verify` of its directory says why", file, plan.Revision)
		return id, nil
	}
	id = server.ID()
	if at.Name != "" {
		id.Name = at.Name
	}
	return id, id.Check()
}

// name is the directory that gives the server its name: that of the repository for the repository itself.
func (at Elsewhere) name() string {
	if at.Directory == "." {
		return path.Base(at.GitHub.Repository)
	}
	return path.Base(at.Directory)
}

// checked is the pull request of a comment whose revision was checked before. Where code of the pull request runs there is no token to
// ask for it with, so the base is given, too.
func (at Elsewhere) checked(ctx context.Context, p commented) (pull github.Pull, err error) {
	if at.GitHub.Token != "" {
		pull, err = at.GitHub.Pull(ctx, p.Issue.Number)
	} else {
		pull.Number, pull.Base.SHA = p.Issue.Number, at.Base
	}
	pull.Head.SHA = at.Revision
	return pull, err
}

// pull finds the pull request of an event.
func (at *Elsewhere) pull(ctx context.Context, e Event, plan *Plan) (pull github.Pull, err error) {
	var p pullEvent
	if err := json.Unmarshal(e.JSON, &p); err != nil {
		return pull, fmt.Errorf("plan: event: %w", err)
	}
	switch {
	case e.Name == "pull_request" && p.PullRequest != nil:
		pull = *p.PullRequest
	case e.Name == "workflow_run" && p.WorkflowRun != nil:
		run := p.WorkflowRun
		plan.Run, plan.Attempt, plan.Began, plan.Revision = fmt.Sprint(run.ID), run.Attempt, run.Began, run.HeadSHA
		found, err := run.pulls(ctx, at.GitHub)
		if err != nil {
			return pull, err
		}
		if len(found) == 0 {
			plan.Say = noPull
			return pull, nil
		}
		pull = found[0]
	case e.Name == "issue_comment":
		var c Command
		if at.Revision != "" { // a newer push, or its end, does not take the result from the commit
			c, _, _ = ParseCommand(p.Comment.Body) // it was understood when the revision was checked
			pull, err = at.checked(ctx, p.commented)
		} else {
			pull, c, plan.Say, err = (Place{GitHub: at.GitHub}).command(ctx, p.commented)
		}
		if err != nil || plan.Say != "" {
			plan.Reply, plan.Pull, plan.Revision = true, pull.Number, pull.Head.SHA
			return pull, err
		}
		at.named, plan.Within = c.Servers, c.within()
	default:
		return pull, InputError{fmt.Errorf("plan: event %q; start this workflow with `on: pull_request`, with `on: issue_comment`, or with `on: workflow_run` after a pull request", e.Name)}
	}
	if !record.IsCommit(pull.Head.SHA) || !record.IsCommit(pull.Base.SHA) {
		return pull, fmt.Errorf("plan: pull request %d from %.60q to %.60q; want full hashes", pull.Number, pull.Head.SHA, pull.Base.SHA)
	}
	return pull, nil
}
