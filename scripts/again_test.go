package main

import (
	"errors"
	"fmt"
	"testing"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
)

func TestBisectFindsTheStep(t *testing.T) {
	t.Parallel()
	for n := 1; n <= 9; n++ {
		for culprit := range n {
			asked := 0
			from, to, err := bisect(n, func(i int) (worse, error) {
				if asked++; i < 0 || i >= n-1 {
					t.Errorf("%d steps: asked for %d, which is known", n, i)
				}
				if i >= culprit {
					return yes, nil
				}
				return no, nil
			})
			if err != nil || from != culprit || to != culprit || 1<<max(0, asked-1) >= max(2, n) && asked > 0 {
				t.Errorf("%d steps, the worse is %d: found %d to %d after %d pairs, %v", n, culprit, from, to, asked, err)
			}
		}
	}
	answers := []worse{no, unknown}
	from, to, err := bisect(8, func(int) (worse, error) {
		a := answers[0]
		answers = answers[1:]
		return a, nil
	})
	if err != nil || from != 4 || to != 7 {
		t.Errorf("where it is not known: %d to %d, %v; want 4 to 7", from, to, err)
	}
	if _, _, err := bisect(2, func(int) (worse, error) { return unknown, errors.New("broke") }); err == nil {
		t.Error("an error was lost")
	}
}

func TestTheSameRegressionIsLookedFor(t *testing.T) {
	t.Parallel()
	answer := func(of verdict.Verdict, cells ...verdict.Verdict) verdict.Answer {
		a := verdict.Answer{Verdict: of}
		for i, v := range cells {
			a.Cells = append(a.Cells, verdict.Cell{Scenario: fmt.Sprint(i), Metric: record.Metric{Name: "m"}, Verdict: v})
		}
		return a
	}
	const r, u, i = verdict.Regressed, verdict.Unchanged, verdict.Inconclusive
	of, fails := answer(r, r, r, u), answer(r)
	for n, c := range []struct {
		of, in verdict.Answer
		want   worse
	}{
		{of, answer(r, r, u, u), yes},
		{of, answer(r, i, r, u), yes},
		{of, answer(r, u, u, r), no}, // another cell
		{of, answer(u, u, u, u), no},
		{of, answer(i, u, i, u), unknown},
		{of, answer(i, u), unknown},
		{of, answer(verdict.Improved, verdict.Improved, u, u), no},
		{of, answer(verdict.Identical), no},
		{of, answer(verdict.NotMeasured), unknown},
		{of, fails, unknown}, // such as one that does not build, and was mended before the step that is looked for
		{fails, fails, yes},
		{fails, answer(u, u, u, u), no},
		{fails, answer(r, r, u, u), no}, // slower, but it works
		{fails, answer(i), no},
		{fails, answer(verdict.NotMeasured), unknown},
	} {
		if got := sameRegression(c.of, c.in); got != c.want {
			t.Errorf("%d: %d, want %d", n, got, c.want)
		}
	}
}
