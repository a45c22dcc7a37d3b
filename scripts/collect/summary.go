package collect

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"fairstream/scripts/artifact"
	"fairstream/scripts/plan"
	"fairstream/scripts/record"
	"fairstream/scripts/report"
)

// Summary writes Markdown: first what there is and what is missing, then why,
// then the figures. note is a line about the history, or empty. Nothing that
// comes from an artifact has a meaning to Markdown.
func Summary(w io.Writer, p plan.Plan, result artifact.Result, note string) error {
	all := result.All()
	var servers []string
	for _, name := range p.Servers {
		if len(result.Records[name]) > 0 {
			servers = append(servers, name)
		}
	}
	fmt.Fprintf(w, "**%d of %d servers measured at `%.12s`**", len(servers), len(p.Servers), p.Revision)
	if n := count(all, record.Invalid); n > 0 {
		fmt.Fprintf(w, ", %d of %d records invalid", n, len(all))
	}
	fmt.Fprintf(w, ": %s, rounds: %d.\n\n", strings.ReplaceAll(p.Scenarios, ",", ", "), p.Rounds)
	if len(result.Missing) > 0 {
		fmt.Fprintf(w, "Missing: %s. Whatever is missing has no point in the charts; the job of the server says why.\n\n", strings.Join(result.Missing, "; "))
	}
	if len(result.Refused) > 0 {
		fmt.Fprint(w, "Refused:\n\n")
		for _, r := range result.Refused {
			fmt.Fprintf(w, "- `%s`: `%s`\n", r.Artifact, r.Why)
		}
		fmt.Fprintln(w)
	}
	if p.Reason != "" {
		fmt.Fprintf(w, "Started by hand: `%s`\n\n", artifact.Harmless(p.Reason))
	}
	if note != "" {
		fmt.Fprintf(w, "%s\n\n", note)
	}
	if len(all) == 0 {
		return nil
	}
	fmt.Fprint(w, "Each server was loaded in a job of its own, minutes from the others: compare it with its past, not with its neighbours.\n\n")
	for _, group := range machines(artifact.Shown(all)) {
		if err := report.Write(w, "markdown", group); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	return nil
}

// machines groups records by what they were measured on. The legs of one
// workflow run are runs of their own to the harness; to a reader they are one.
func machines(records []record.Record) [][]record.Record {
	var groups [][]record.Record
	keys := []string{}
	for _, r := range records {
		key := fmt.Sprint(text(r.Host.CPU), r.Host.Cores, text(r.Host.OS), text(r.Host.Kernel), r.Tools)
		if r.Host.MemoryBytes != nil {
			key += fmt.Sprint(*r.Host.MemoryBytes)
		}
		i := slices.Index(keys, key)
		if i < 0 {
			i, keys, groups = len(keys), append(keys, key), append(groups, nil)
		}
		r.Run.ID = "of this workflow"
		groups[i] = append(groups[i], r)
	}
	return groups
}

func text(s *string) string {
	if s == nil {
		return "?"
	}
	return *s
}
