package compare

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
			from, to, err := bisect(n, func(i int) (presence, error) {
				if asked++; i < 0 || i >= n-1 {
					t.Errorf("%d steps: asked for %d, which is known", n, i)
				}
				if i >= culprit {
					return present, nil
				}
				return absent, nil
			})
			if err != nil || from != culprit || to != culprit || 1<<max(0, asked-1) >= max(2, n) && asked > 0 {
				t.Errorf("%d steps, the worse is %d: found %d to %d after %d comparisons, %v", n, culprit, from, to, asked, err)
			}
		}
	}
	answers := []presence{absent, undecided}
	from, to, err := bisect(8, func(int) (presence, error) {
		a := answers[0]
		answers = answers[1:]
		return a, nil
	})
	if err != nil || from != 4 || to != 7 {
		t.Errorf("where it is not known: %d to %d, %v; want 4 to 7", from, to, err)
	}
	if _, _, err := bisect(2, func(int) (presence, error) { return undecided, errors.New("broke") }); err == nil {
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
		want   presence
	}{
		{of, answer(r, r, u, u), present},
		{of, answer(r, i, r, u), present},
		{of, answer(r, u, u, r), absent}, // another cell
		{of, answer(u, u, u, u), absent},
		{of, answer(i, u, i, u), undecided},
		{of, answer(i, u), undecided},
		{of, answer(verdict.Improved, verdict.Improved, u, u), absent},
		{of, answer(verdict.Identical), absent},
		{of, answer(verdict.NotMeasured), undecided},
		{of, fails, undecided}, // such as one that does not build, and was mended before the step that is looked for
		{fails, fails, present},
		{fails, answer(u, u, u, u), absent},
		{fails, answer(r, r, u, u), absent}, // slower, but it works
		{fails, answer(i), absent},
		{fails, answer(verdict.NotMeasured), undecided},
	} {
		if got := sameChange(c.of, c.in); got != c.want {
			t.Errorf("%d: %d, want %d", n, got, c.want)
		}
	}
	// A verdict with a size says nothing about a smaller change.
	of.Cells[0].Change = -0.04
	for size, want := range map[float64]presence{0.055: undecided, 0.035: absent} {
		sized := answer(verdict.NoLargeChange, verdict.NoLargeChange)
		sized.Cells[0].Low, sized.Cells[0].High = -size, 0.01
		if got := sameChange(firstCell(of), sized); got != want {
			t.Errorf("a change of %g is excluded: %d, want %d", size, got, want)
		}
	}
}

// firstCell is an answer with its first cell alone.
func firstCell(a verdict.Answer) verdict.Answer {
	a.Cells = a.Cells[:1]
	return a
}
