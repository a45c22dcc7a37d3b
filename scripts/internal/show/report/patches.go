package report

import (
	"io"

	"fairstream/scripts/internal/judge/prove"
)

// PatchFormats are those of WritePatchTrials.
func PatchFormats() []string { return []string{"text", "markdown"} }

// WritePatchTrials writes the tables of trials of patches in one of PatchFormats.
func WritePatchTrials(w io.Writer, format string, trials []prove.PatchTrial) error {
	if format == "markdown" {
		return prove.WriteMarkdown(w, prove.PatchTables(trials))
	}
	return prove.WriteText(w, prove.PatchTables(trials))
}
