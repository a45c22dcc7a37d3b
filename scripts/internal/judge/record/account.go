package record

import "fmt"

// An Account is what became of the tokens that the stub wrote for a target, over all of
// a k6 run, the warm-up and streams that failed included.
type Account struct {
	Target   string
	Sent     int64 // by the stub
	Received int64 // by k6
	Doubled  int64 // of those received, had come before in their stream
}

// Lost is how many of the sent ones did not come; under 0, some came that were not sent.
func (a Account) Lost() int64 { return a.Sent - (a.Received - a.Doubled) }

// Even says that each token came once.
func (a Account) Even() bool { return a.Lost() == 0 && a.Doubled == 0 }

func (a Account) difference() string {
	if a.Lost() < 0 {
		return fmt.Sprintf("%d that it did not write, %d doubled", -a.Lost(), a.Doubled)
	}
	return fmt.Sprintf("%d lost, %d doubled", a.Lost(), a.Doubled)
}

// account is not known when one of both did not count, or of k6's slices some are not told.
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
