package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"fairstream/scripts/internal/files/jsonl"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/measure/revision"
)

// Pairs of one machine leave how much they scattered, for later ones to fit their
// priors to: on a machine of your own in pastFile, on GitHub in publishedFile of
// the branch gh-pages, to which publishing adds the pairs of main. Whoever has
// neither compares without priors.
const (
	pastFile      = "raw/past.jsonl"
	publishedFile = "past.jsonl"
)

// pastIn reads what earlier pairs left in a file, to which they add by
// jsonl.Append; nothing when there is none.
func pastIn(name string) ([]verdict.Past, error) {
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	past, err := verdict.ReadPast(bytes.NewReader(jsonl.Whole(text)))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return past, nil
}

// pastAt reads what earlier pairs left at a revision; nothing when there is no
// such revision, or none with the file. It changes nothing there. A file that cannot
// be read is none, which it says: without priors verdicts are weaker and still
// hold, and what was measured must not wait until somebody mends the branch.
func pastAt(ctx context.Context, root, ref string) ([]verdict.Past, error) {
	text, err := revision.File(ctx, root, ref, publishedFile)
	if err != nil {
		return nil, err
	}
	past, err := verdict.ReadPast(bytes.NewReader(text))
	if err != nil {
		fmt.Fprintf(os.Stderr, "bench: %s:%s: %v; nothing is known of earlier pairs until it is mended, or deleted to begin a new one\n", ref, publishedFile, err)
		return nil, nil
	}
	return past, nil
}
