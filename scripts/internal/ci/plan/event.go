package plan

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fairstream/scripts/internal/ci/github"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/measure/revision"
	"fairstream/scripts/internal/workload"
)

// An Event is what started a workflow.
type Event struct {
	Name  string // push, schedule, workflow_dispatch, workflow_run, issue_comment
	Ref   string // that it runs on: refs/heads/main
	SHA   string // of that ref: the harness
	Actor string // who started this attempt of the run
	JSON  []byte // the payload
}

// payload is the part of an event's payload that is read.
type payload struct {
	Inputs      map[string]any `json:"inputs"`
	Sender      github.User    `json:"sender"` // who started the first attempt
	WorkflowRun struct {
		Actor           github.User `json:"actor"`            // who pushed
		TriggeringActor github.User `json:"triggering_actor"` // who ran the tests again
		runHead
	} `json:"workflow_run"`
	commented
}

// A Place is where plans are made: the checkout of the harness, and GitHub.
type Place struct {
	Root   string
	GitHub github.Client
	// Published are the commits in a commit's history that have published records,
	// newest first; nil where no comparisons are planned.
	Published func(ctx context.Context, commit string) ([]PublishedCommit, error)
	// Events are the events about commits in a commit's history, oldest commit first; nil: none.
	Events   func(ctx context.Context, commit string) ([]verdict.Event, error)
	Accepted map[workload.Server][]string // commits, by server, from which on somebody accepted that it got worse
	// People are the logins that may start a workflow by hand; empty: everybody whom GitHub lets.
	People []string
	Note   func(line string) // takes a line for the log
}

// An InputError is a mistake in the inputs of a workflow that a person started.
type InputError struct{ error }

// Make plans what the event asks for.
func (at Place) Make(ctx context.Context, e Event) (Plan, error) {
	var p payload
	if err := json.Unmarshal(e.JSON, &p); err != nil {
		return Plan{}, fmt.Errorf("plan: event: %w", err)
	}
	if !record.IsCommit(e.SHA) {
		return Plan{}, fmt.Errorf("plan: GITHUB_SHA %q; want a full hash", e.SHA)
	}
	if e.Ref != "refs/heads/main" {
		return Plan{}, InputError{fmt.Errorf("plan: started on %q; choose the branch main: only its workflows and harness may use the machine", e.Ref)}
	}
	if e.Name == "workflow_dispatch" {
		if err := at.mayStart(p.Sender.Login, e.Actor); err != nil {
			return Plan{}, InputError{err}
		}
	}
	inputs := map[string]string{}
	for name, v := range p.Inputs {
		if v != nil {
			inputs[name] = strings.TrimSpace(fmt.Sprint(v))
		}
	}
	plan := Plan{Kind: Main, Revision: e.SHA, Rounds: mainRounds, Leaderboard: leaderboardRounds, Reason: oneLine(inputs["reason"])}
	pull, byHand := inputs["pr"]
	if byHand || e.Name == "workflow_run" || e.Name == "issue_comment" {
		plan.Kind, plan.Rounds = Pull, pullRounds
	}
	if err := plan.options(inputs); err != nil {
		return Plan{}, InputError{err}
	}
	var err error
	switch {
	case e.Name == "workflow_run":
		err = at.pullOfRun(ctx, e, p, &plan)
	case e.Name == "workflow_dispatch" && byHand:
		err = at.pullByHand(ctx, e, pull, inputs, &plan)
	case e.Name == "issue_comment":
		err = at.pullByComment(ctx, e, p.commented, &plan)
	case e.Name == "push" || e.Name == "schedule" || e.Name == "workflow_dispatch":
		err = at.main(ctx, e, inputs, &plan)
	default:
		err = fmt.Errorf("plan: event %q; want push, schedule, workflow_dispatch, workflow_run or issue_comment", e.Name)
	}
	if err != nil {
		return Plan{}, err
	}
	if plan.Kind != Main || len(plan.Leaderboards()) == 0 {
		plan.Leaderboard = 0 // nothing to compare with each other
	}
	return plan, plan.check()
}

// options reads the inputs that say how much is loaded.
func (plan *Plan) options(inputs map[string]string) error {
	least, most := plan.bounds()
	for _, of := range []struct {
		input       string
		least, most int
		set         *int
	}{{"rounds", least, most, &plan.Rounds}, {Leaderboard, 0, maxRounds, &plan.Leaderboard}} {
		n := inputs[of.input]
		if n == "" {
			continue
		}
		var err error
		if *of.set, err = strconv.Atoi(n); err != nil || *of.set < of.least || *of.set > of.most {
			return fmt.Errorf("plan: %s %q; want %d to %d", of.input, n, of.least, of.most)
		}
	}
	plan.Quick = inputs["quick"] == "true"
	return nil
}

// words are separated by spaces or commas, and count once.
func words(s string) (list []string) {
	for _, w := range strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == ',' }) {
		if !slices.Contains(list, w) {
			list = append(list, w)
		}
	}
	return list
}

// main plans a commit of the main branch.
func (at Place) main(ctx context.Context, e Event, inputs map[string]string, plan *Plan) error {
	if given := inputs["revision"]; given != "" {
		if !record.IsCommit(given) {
			return InputError{fmt.Errorf("plan: revision %q; want the full hash of a commit, 40 digits", given)}
		}
		if ok, err := revision.IsAncestor(ctx, at.Root, given, e.SHA); err != nil {
			return err
		} else if !ok {
			return InputError{fmt.Errorf("plan: revision %s: not in the history of main, so its figures do not belong there; for a pull request, start the workflow pull-request", given)}
		}
		plan.Revision = given
	}
	if e.Name == "push" {
		newest, err := at.superseded(ctx, plan.Revision)
		if err != nil {
			return err
		}
		if newest != "" {
			plan.Say = supersededBy(plan.Revision, newest)
			return nil
		}
	}
	all, err := revision.Servers(ctx, at.Root, plan.Revision)
	if err != nil {
		return err
	}
	if all, err = ofWorkloads(words(inputs["workloads"]), all); err != nil {
		return err
	}
	if plan.Servers, err = chosen(words(inputs["servers"]), all); err != nil {
		return err
	}
	asked := inputs["workloads"]+inputs["servers"] != ""
	if err := plan.choose(words(inputs["scenarios"]), asked); err != nil {
		return err
	}
	t, err := at.track(ctx, plan.Revision)
	if err != nil {
		return err
	}
	if err := at.comparisons(ctx, t, plan, e.Name == "schedule"); err != nil {
		return err
	}
	plan.Trials = e.Name == "schedule"
	if e.Name == "push" {
		return at.touched(ctx, t, plan)
	}
	return nil
}

// chosen are the servers of these names, each once: all without any. It refuses
// names that are not among all.
func chosen(names []string, all []workload.Server) (servers []workload.Server, err error) {
	for _, name := range names {
		s, err := workload.Parse(name)
		if err != nil || !slices.Contains(all, s) {
			return nil, InputError{fmt.Errorf("plan: server %.60q: unknown; known are %s", name, Join(all, ", "))}
		}
		if !slices.Contains(servers, s) {
			servers = append(servers, s)
		}
	}
	if len(names) == 0 {
		return all, nil
	}
	return servers, nil
}

// pullOfRun plans the pull request whose tests have passed. Code from outside
// the repository is not planned. A comment on its pull request says how to go on.
func (at Place) pullOfRun(ctx context.Context, e Event, p payload, plan *Plan) error {
	run := p.WorkflowRun
	if !record.IsCommit(run.HeadSHA) {
		return fmt.Errorf("plan: workflow_run: head_sha %q; want a full hash", run.HeadSHA)
	}
	plan.Revision = run.HeadSHA
	found, err := run.pulls(ctx, at.GitHub)
	if err != nil {
		return err
	}
	if len(found) == 0 {
		plan.Say = noPull
		return nil
	}
	pr := found[0]
	for _, other := range found { // a branch may have several
		if other.Base.Ref == "main" {
			pr = other
		}
	}
	plan.Pull = pr.Number
	outside := at.outside(pr)
	if outside == "" && (isBot(run.Actor) || isBot(run.TriggeringActor)) {
		outside = "was pushed by a bot"
	}
	if outside != "" {
		plan.Say = fmt.Sprintf("this pull request %s. Its code reaches the benchmark machine only after a maintainer has read [all changes](%s/files). Then %s",
			outside, at.page(pr), at.byHand(pr))
		return nil
	}
	return at.changed(ctx, e, pr, nil, plan)
}

// pullByHand plans the pull request that a maintainer named, at the commit
// that the maintainer has read.
func (at Place) pullByHand(ctx context.Context, e Event, number string, inputs map[string]string, plan *Plan) error {
	sha := inputs["sha"]
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 {
		return InputError{fmt.Errorf("plan: pull request %.20q; want its number", number)}
	}
	if !record.IsCommit(sha) {
		return InputError{fmt.Errorf("plan: commit %.60q; want the full hash of the commit that you have read, 40 digits in lower case", sha)}
	}
	pr, err := at.GitHub.Pull(ctx, n)
	if err != nil {
		return err
	}
	if pr.State != "open" {
		return InputError{fmt.Errorf("plan: pull request %d is %.20q; want an open one", n, pr.State)}
	}
	if pr.Head.SHA != sha { // the message has no hash to paste unread
		return InputError{fmt.Errorf("plan: pull request %d is no longer at %s; read what is new at %s/files and start again with the hash that you have read", n, sha, at.page(pr))}
	}
	plan.Pull, plan.Revision, plan.Foreign = n, sha, at.outside(pr) != ""
	return at.changed(ctx, e, pr, words(inputs["servers"]), plan)
}

// pullByComment plans the pull request of a comment that begins with /benchmark. What is wrong with the command is its answer.
func (at Place) pullByComment(ctx context.Context, e Event, p commented, plan *Plan) error {
	pr, c, say, err := at.command(ctx, p)
	if err != nil {
		return err
	}
	plan.Pull, plan.Revision, plan.Foreign, plan.Within = pr.Number, pr.Head.SHA, at.outside(pr) != "", c.within()
	if wrong := at.mayStart(p.Comment.User.Login, e.Actor); say == "" && wrong != nil {
		say = strings.TrimPrefix(wrong.Error(), "plan: ")
	}
	if say == "" {
		err = at.changed(ctx, e, pr, c.Servers, plan)
		if wrong, ok := errors.AsType[InputError](err); ok { // such as a server that does not exist
			say, err = strings.TrimPrefix(wrong.Error(), "plan: "), nil
		}
	}
	if say != "" {
		plan.Say, plan.Reply = say, true
	}
	return err
}

// changed plans the servers that a pull request changes, or those that a person named.
func (at Place) changed(ctx context.Context, e Event, pr github.Pull, names []string, plan *Plan) error {
	if pr.Base.Ref != "main" {
		plan.Say = "this pull request does not go into main"
		return nil
	}
	head, err := revision.Resolve(ctx, at.Root, plan.Revision)
	if err != nil {
		return err
	}
	from, c, err := revision.Since(ctx, at.Root, e.SHA, head)
	if err != nil {
		return err
	}
	if len(c.Servers) == 0 {
		plan.Base, plan.Rig = from, c.Rig
		plan.Say = "this pull request changes and adds no server"
		if c.Rig {
			plan.Say = "this pull request changes and adds no server; it changes k6/, stub/ or scripts/, and a change of the rig is not measured"
		}
		return nil
	}
	servers, say, err := at.limited(c.Servers, names, pr)
	if err != nil || say != "" {
		plan.Say = say
		return err
	}
	plan.Base, plan.Rig, plan.Servers = from, c.Rig, servers
	for _, s := range c.Servers {
		if !slices.Contains(servers, s) {
			plan.LeftOut = append(plan.LeftOut, s)
		}
	}
	return nil
}
