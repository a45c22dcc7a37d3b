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
			size := map[verdict.Verdict]verdict.Cell{
				verdict.Regressed: {Low: -0.05, Change: -0.04, High: -0.03}, verdict.Improved: {Low: 0.03, Change: 0.04, High: 0.05},
				verdict.Unchanged: {Low: -0.01, High: 0.01}, verdict.Inconclusive: {Low: -0.03, Change: -0.01, High: 0.01},
			}[v]
			size.Scenario, size.Metric, size.Verdict = fmt.Sprint(i), record.Metric{Name: "m"}, v
			a.Cells = append(a.Cells, size)
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
	// Half of the change decides, whatever the verdict.
	for _, c := range []struct {
		change, low, high float64
		want              presence
	}{
		{-0.04, -0.035, 0.01, undecided},
		{-0.04, -0.015, 0.01, absent},
		{-0.04, -0.07, -0.021, present},
		{0.715, -0.03, 0.117, absent},
		{0.715, 0.32, 0.9, present},
		{-0.5, -0.45, -0.2, undecided},
		{-0.5, -0.7, -0.3, present}, // half of the logarithm
	} {
		change := answer(verdict.Regressed, r)
		change.Cells[0].Change = c.change
		sized := answer(i, i)
		sized.Cells[0].Low, sized.Cells[0].High = c.low, c.high
		if got := sameChange(change, sized); got != c.want {
			t.Errorf("of %g, %g to %g: %d, want %d", c.change, c.low, c.high, got, c.want)
		}
	}
}
