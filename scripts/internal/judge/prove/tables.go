package prove

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
)

// A Table shows one aspect of trials.
type Table struct {
	Title string     `json:"title"`
	Head  []string   `json:"head"`
	Rows  [][]string `json:"rows"`
	Note  string     `json:"note"`
}

func (t *Table) add(cells ...string) { t.Rows = append(t.Rows, cells) }

// Tables judges the trials and makes all tables. Trials beside a simulated neighbour have tables of their own; only the table of
// false alarms counts them too. A table without rows is left out.
func Tables(trials []Trial) []Table {
	judged := judgeAll(trials)
	tables := []Table{falseAlarms(judged)}
	if all := beside(judged, 0); len(all) > 0 {
		tables = append(tables, unanswered(all), excluded(all), power(all), patched(all), functions(all), rivals(all), delivered(all), times(all), scatter(all))
	}
	for _, share := range neighbours(trials) {
		tables = append(tables, withNeighbour(beside(judged, share), share)...)
	}
	return filled(tables)
}

// ShortTables are those of the site: error rates, the changes that are excluded, and the minutes of a verdict. They are of trials of
// some workloads, without a neighbour.
func ShortTables(trials []Trial, workloads []string) []Table {
	all := judgeAll(slices.DeleteFunc(slices.Clone(trials), func(t Trial) bool { return t.Neighbour > 0 || !slices.Contains(workloads, t.Comparison.Workload) }))
	if len(all) == 0 {
		return nil
	}
	return filled([]Table{summary(all), excluded(all), times(all)})
}

// filled are the tables with rows.
func filled(tables []Table) []Table {
	return slices.DeleteFunc(tables, func(t Table) bool { return len(t.Rows) == 0 })
}

// WriteText writes tables for a terminal.
func WriteText(out io.Writer, tables []Table) error {
	w := bufio.NewWriter(out)
	for i, t := range tables {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintln(w, t.Title)
		tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		for _, row := range append([][]string{t.Head}, t.Rows...) {
			fmt.Fprintln(tw, strings.Join(row, "\t"))
		}
		if err := tw.Flush(); err != nil {
			return err
		}
		fmt.Fprintln(w, t.Note)
	}
	return w.Flush()
}

// WriteMarkdown writes tables for a page of GitHub.
func WriteMarkdown(out io.Writer, tables []Table) error {
	w := bufio.NewWriter(out)
	for _, t := range tables {
		fmt.Fprintf(w, "**%s**\n\n| %s |\n|---|%s\n", t.Title, strings.Join(t.Head, " | "), strings.Repeat("--:|", len(t.Head)-1))
		for _, row := range t.Rows {
			fmt.Fprintf(w, "| %s |\n", strings.Join(row, " | "))
		}
		fmt.Fprintf(w, "\n%s\n\n", t.Note)
	}
	return w.Flush()
}

// times is the table of the time that a verdict takes.
func times(all []result) Table {
	t := Table{
		Title: "Minutes for a verdict",
		Head:  []string{"head is", "comparisons", "rounds, median", "load, median", "load, worst", "all, median", "all, worst"},
		Note:  "Load is the time under load. All is the time from the start of the builds to the verdict. Where a trial has more rounds than the verdict needed, its minutes count by their share. Identical programs are left out, because they are not loaded.",
	}
	rows := [][]Kind{Kinds}
	for _, kind := range Kinds {
		rows = append(rows, []Kind{kind})
	}
	for _, row := range rows {
		var rounds, load, wall []float64
		for _, r := range all {
			if slices.Contains(row, r.Kind) && !r.Comparison.Identical {
				rounds = append(rounds, float64(r.used))
				share := float64(r.used) / float64(max(1, len(r.Comparison.Rounds)))
				wall = append(wall, share*r.WallSeconds/60)
				if r.LoadSeconds > 0 {
					load = append(load, share*r.LoadSeconds/60)
				}
			}
		}
		name := "any"
		if len(row) == 1 {
			name = string(row[0])
		}
		if len(rounds) == 0 {
			continue
		}
		slices.Sort(rounds)
		cells := []string{name, fmt.Sprint(len(rounds)), fmt.Sprintf("%g", record.Median(rounds))}
		for _, minutes := range [][]float64{load, wall} {
			if len(minutes) == 0 {
				cells = append(cells, "-", "-")
				continue
			}
			cells = append(cells, medianOf(minutes), fmt.Sprintf("%.1f", slices.Max(minutes)))
		}
		t.add(cells...)
	}
	return t
}

// summary is the table of a front page: how often verdicts are wrong or missing.
func summary(all []result) Table {
	t := Table{
		Title: "Error rates",
		Head:  []string{"truth", "verdict", "comparisons", "%", "95 % interval"},
		Note:  "Up to two margins means that the verdict names a size above the margin. No verdict means inconclusive or not measured; comparisons that were too noisy are left out. Measured is the mean change; two figures are the servers with the least and the most. Intervals are Clopper and Pearson's.",
	}
	add := func(truth, verdict string, k, n int) {
		t.add(slices.Concat([]string{truth, verdict, fmt.Sprintf("%d of %d", k, n)}, share(k, n))...)
	}
	unchanged := tallied(all, result.unchanged)
	add("nothing changed", "false alarm", unchanged.falseAlarms, unchanged.trials)
	add("nothing changed", "no change, within the margin", unchanged.within, unchanged.trials-unchanged.noisy)
	add("nothing changed", "no change, up to two margins", unchanged.sized, unchanged.trials-unchanged.noisy)
	add("nothing changed", "no verdict", unchanged.none, unchanged.trials-unchanged.noisy)
	for _, i := range injections(all) {
		of := i.of(all)
		add(fmt.Sprintf("%s: injected %g %%, measured %s", i.cell, i.pct, i.size(all)), "regressed, in this cell", i.called(of, verdict.Regressed), len(of))
	}
	for _, s := range patchShares(all) {
		add(s.Name+", measured "+patchSize(all, s.Name), "regressed", s.Right, s.Right+s.Missed+s.Wrong)
	}
	return t
}
