package verify

import "context"

// A Maker makes a check. Its function takes the subject of a contract.
type Maker[S any] func(clause, name, means string, run func(context.Context, S) error) Check

// Must makes checks that a server must pass. own turns a subject into that of the contract.
func Must[S any](own func(*Subject) S) Maker[S] { return maker(own, true) }

// Should makes checks that a server may fail.
func Should[S any](own func(*Subject) S) Maker[S] { return maker(own, false) }

func maker[S any](own func(*Subject) S, must bool) Maker[S] {
	return func(clause, name, means string, run func(context.Context, S) error) Check {
		return Check{Clause: clause, Name: name, Must: must, Means: means,
			Run: func(ctx context.Context, s *Subject) error { return run(ctx, own(s)) }}
	}
}

// First makes a check run before the others.
func First(c Check) Check {
	c.First = true
	return c
}
