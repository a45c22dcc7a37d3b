package compare

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"fairstream/scripts/internal/files/jsonl"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/measure/revision"
)

// Comparisons of one machine record their noise, and later ones fit their priors to it. A local comparison
// uses NoiseFile. On GitHub it uses PublishedNoiseFile of the branch gh-pages, to which publishing adds
// main's comparisons. Without either, a comparison has no priors.
const (
	NoiseFile          = "raw/noise_history.jsonl"
	PublishedNoiseFile = "noise_history.jsonl"
)

// readNoise reads the noise of earlier comparisons from a file; none without the file.
func readNoise(name string) ([]verdict.NoiseHistory, error) {
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	noiseHistory, err := verdict.ReadNoiseHistory(bytes.NewReader(jsonl.CompleteLines(text)))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return noiseHistory, nil
}

// PublishedNoise reads the noise of earlier comparisons at a revision; none without the revision or the file.
// It prints a message for an unreadable file and goes on without: verdicts are weaker without priors, but
// they hold, and a measurement must not wait for a repair of the branch.
func PublishedNoise(ctx context.Context, root, ref string) ([]verdict.NoiseHistory, error) {
	text, err := revision.File(ctx, root, ref, PublishedNoiseFile)
	if err != nil {
		return nil, err
	}
	noiseHistory, err := verdict.ReadNoiseHistory(bytes.NewReader(text))
	if err != nil {
		fmt.Fprintf(os.Stderr, "bench: %s:%s: %v; without it, the comparison has no noise history; repair the file, or delete it to start a new one\n", ref, PublishedNoiseFile, err)
		return nil, nil
	}
	return noiseHistory, nil
}

// remember adds the noise of these records to that of earlier comparisons. A quick load adds nothing, and
// neither does one that uses a revision's file.
func (c *Comparison) remember(records []record.Record) (err error) {
	if c.Quick || c.NoiseAt != "" {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(c.Noise), 0o755); err != nil {
		return err
	}
	var lines bytes.Buffer
	for _, comparison := range verdict.Comparisons(records) {
		// Two runs may have directories of the same name.
		id := records[0].Run.ID + " " + records[0].Started.Format(time.RFC3339)
		if line := verdict.Remember(comparison, id); len(line.Cells) > 0 {
			err = errors.Join(err, verdict.WriteNoiseHistory(&lines, line))
		}
	}
	return errors.Join(err, jsonl.Append(c.Noise, lines.Bytes()))
}
