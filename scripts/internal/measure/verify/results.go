package verify

import (
	"encoding/json"
	"fmt"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/workload"
)

// WriteJSON writes a line for each result.
func WriteJSON(w *cli.Output, server workload.Server, results []Result) {
	out := json.NewEncoder(w)
	for _, r := range results {
		out.Encode(struct { // Output remembers the error
			workload.Server
			Result
		}{server, r}) // as above
	}
}

// WriteText writes how many checks a server passed, and each failed check.
func WriteText(w *cli.Output, server workload.Server, results []Result) {
	passed, count := map[bool]int{}, map[bool]int{}
	for _, r := range results {
		count[r.Must]++
		if r.Pass {
			passed[r.Must]++
		}
	}
	verdict := "passes"
	if passed[true] < count[true] {
		verdict = "FAILS"
	}
	fmt.Fprintf(w, "%-18s %-6s  must %d of %d, should %d of %d\n", server, verdict, passed[true], count[true], passed[false], count[false])
	for _, r := range results {
		if !r.Pass {
			fmt.Fprintf(w, "  %s\n", r.Failure())
		}
	}
}

// Failure describes a failed check for people.
func (r Result) Failure() string {
	level := map[bool]string{true: "must", false: "should"}[r.Must]
	return fmt.Sprintf("%s %s (%s): %s", r.Clause, r.Check, level, r.Evidence)
}
