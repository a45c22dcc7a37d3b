package comment

import (
	"context"
	"errors"
	"slices"
	"strings"

	"fairstream/scripts/internal/ci/github"
	"fairstream/scripts/internal/ci/plan"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/show/answer"
	"fairstream/scripts/internal/workload"
)

// states are those of commit statuses. A server without a verdict passes, because a noisy
// machine is not the fault of the pull request.
var states = map[verdict.Verdict]string{
	verdict.Regressed: "failure", verdict.NotMeasured: "error",
	verdict.Improved: "success", verdict.Unchanged: "success", verdict.NoLargeChange: "success", verdict.Identical: "success", verdict.Inconclusive: "success",
}

// Pending are the statuses while the comparisons run. Servers of main that the pull request does
// not change pass at once, so that a branch can require every server. Changed servers that nobody named
// have none, so a required one stays open. A plan without a base has no statuses, because the changed
// servers are unknown.
func Pending(p plan.Plan, main []workload.Server, run github.Run) (all []github.Status) {
	if p.Base == "" {
		return nil
	}
	for _, server := range p.Servers {
		all = append(all, status(server, "pending", "measuring, as soon as the machine is free", run))
	}
	for _, server := range main {
		if !slices.Contains(p.Servers, server) && !slices.Contains(p.LeftOut, server) {
			all = append(all, status(server, "success", "identical: this pull request brings no new version of it", run))
		}
	}
	return all
}

// Passing are the statuses of servers in another repository that a pull request does not touch, or of a merge group.
func Passing(servers []plan.Found, event string, run github.Run) (all []github.Status) {
	text := "identical: this pull request does not touch it"
	if event == "merge_group" {
		text = "measured in its pull request; a merge queue measures nothing again"
	}
	for _, s := range servers {
		all = append(all, github.Status{Context: "fairstream/" + s.Server, State: "success", Description: text, URL: run.URL()})
	}
	return all
}

// Statuses are the verdicts of Judge. A server without records gets an error, so none stays pending.
func Statuses(p plan.Plan, answers []verdict.Answer, run github.Run) (all []github.Status) {
	for _, server := range p.Servers {
		i := slices.IndexFunc(answers, func(a verdict.Answer) bool { return a.ID() == server })
		if i < 0 {
			all = append(all, status(server, "error", "not measured: no records arrived; see the job that loads it", run))
			continue
		}
		text := strings.ReplaceAll(answer.Headline(answers[i]), "`", "") // a description is plain text
		if v := answers[i].Verdict; v == verdict.Inconclusive {
			text = strings.Replace(text, string(v)+": ", "no verdict: ", 1)
		}
		state := states[answers[i].Verdict]
		if len(answers[i].OverLimit()) > 0 {
			state = "failure"
		}
		if p.Claimed() {
			state, text = claim(state, text)
		}
		all = append(all, status(server, state, text, run))
	}
	return all
}

// claim is the status of a fork's own figures. They never pass. A forged failure harms only its author. What a maintainer
// does stands first, since GitHub cuts long descriptions.
func claim(state, text string) (string, string) {
	if state == "success" {
		return "pending", "claim of a fork; read it, then comment /benchmark SHA: " + text
	}
	return state, "claim of a fork: " + text
}

// Failed are the statuses when the verdicts cannot be made.
func Failed(p plan.Plan, run github.Run) (all []github.Status) {
	for _, server := range p.Servers {
		all = append(all, status(server, "error", "not measured: the records cannot be judged; see the job answer", run))
	}
	return all
}

// maxDescription is GitHub's limit, in characters.
const maxDescription = 140

func status(server workload.Server, state, description string, run github.Run) github.Status {
	return github.Status{Context: "fairstream/" + server.Dotted(), State: state, Description: shortened(description), URL: run.URL()}
}

// shortened cuts a description that is too long behind its last whole part, if that keeps most of it.
func shortened(text string) string {
	all := []rune(text)
	if len(all) <= maxDescription {
		return text
	}
	text = string(all[:maxDescription-1])
	if at := strings.LastIndexAny(text, ",;"); at > len(text)/2 {
		text = text[:at]
	}
	return text + "…"
}

// SetStatuses writes them. An error does not stop the others.
func SetStatuses(ctx context.Context, c github.Client, commit string, all []github.Status) (err error) {
	for _, s := range all {
		err = errors.Join(err, c.SetStatus(ctx, commit, s))
	}
	return err
}
