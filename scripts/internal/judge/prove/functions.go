package prove

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// mostNamed is how many functions a reader of a report looks at.
const mostNamed = 3

// named reports whether the function of the trial's patch is among the first.
func (t Trial) named() bool {
	form := regexp.MustCompile(t.Patch.Function) // checked as it was read
	return slices.ContainsFunc(t.Functions[:min(len(t.Functions), mostNamed)], form.MatchString)
}

// functions is the table of the functions that perf's samples named.
func functions(all []result) Table {
	t := Table{Title: "Functions that did it", Head: []string{"server", "change", "is named by", "first three functions", "found"}}
	asked, found, unchanged, listed := 0, 0, 0, 0
	for _, r := range all {
		if r.Functions == nil {
			continue
		}
		if r.Patch == nil || r.Patch.Function == "" {
			if r.Kind == Same || r.Kind == Edited {
				unchanged, listed = unchanged+1, listed+len(r.Functions)
			}
			continue
		}
		asked++
		says := "no"
		if r.named() {
			found, says = found+1, "yes"
		}
		names := strings.Join(r.Functions[:min(len(r.Functions), mostNamed)], ", ")
		if names == "" {
			names = "none"
		}
		t.add(r.Patch.Server, r.Patch.What, r.Patch.Function, names, says)
	}
	slices.SortStableFunc(t.Rows, func(a, b []string) int { return strings.Compare(a[0]+a[1], b[0]+b[1]) })
	t.Note = fmt.Sprintf("The function is among the first three in %d of %d. In %d comparisons without a change, %d functions were listed. A name is a regular expression; "+
		"a function that only passes a change on stands before the one that has it.", found, asked, unchanged, listed)
	return t
}
