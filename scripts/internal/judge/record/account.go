package record

import (
	"fmt"

	"fairstream/scripts/internal/judge/raw"
)

// An Account counts the tokens of a target over a k6 run, with the warm-up and failed streams.
type Account struct {
	Target   string
	Sent     int64 // by the stub
	Received int64 // by k6
	Doubled  int64 // received again in the same stream
}

// Lost counts the tokens that the stub sent and k6 did not receive. Below 0, k6 received tokens that the stub
// did not send.
func (a Account) Lost() int64 { return a.Sent - (a.Received - a.Doubled) }

// Even reports whether each token arrived once.
func (a Account) Even() bool { return a.Lost() == 0 && a.Doubled == 0 }

func (a Account) difference() string {
	if a.Lost() < 0 {
		return fmt.Sprintf("%d that the stub did not write, %d doubled", -a.Lost(), a.Doubled)
	}
	return fmt.Sprintf("%d lost, %d doubled", a.Lost(), a.Doubled)
}

// account is unknown when the stub or k6 did not count, or when slices of k6 are missing.
func (l k6Run) account(target string) (a Account, known bool) {
	if l.facts.StubTokens == nil || len(l.summary.Slices) < l.summary.Planned {
		return a, false
	}
	a = Account{Target: target, Sent: l.facts.StubTokens[target]}
	for _, of := range l.summary.Loads {
		if of.Target != target {
			continue
		}
		if of.Counts.Tokens == nil {
			return a, false
		}
		a.Received, a.Doubled, known = a.Received+*of.Counts.Tokens, a.Doubled+of.Counts.Doubled, true
	}
	return a, known
}

// Rows are the messages that a server announced as stored, with the warm-up, and those that its database has more than
// before.
type Rows struct {
	Target          string
	Runs            int64 // complete ones
	Announced, Left int64
}

// Even reports whether each announced message has a row.
func (r Rows) Even() bool { return r.Announced == r.Left }

// rows is unknown without a database, or when slices of k6 are missing.
func (l k6Run) rows(target raw.TargetFacts) (r Rows, known bool) {
	d := target.Database
	if d == nil || len(l.summary.Slices) < l.summary.Planned {
		return r, false
	}
	r = Rows{Target: target.Name, Left: d.After - d.Before}
	for _, of := range l.summary.Loads {
		if of.Target == target.Name {
			r.Runs, r.Announced = r.Runs+of.Requests, r.Announced+of.Counts.Counted
		}
	}
	return r, true
}
