package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"

	"fairstream/scripts/compare"
	"fairstream/scripts/revision"
)

// Pairs of one machine leave how much they scattered, for later ones to fit their
// priors to: on a machine of your own in pastFile, on GitHub in publishedFile of
// the branch gh-pages, to which publishing adds the pairs of main. Whoever has
// neither compares without priors.
const (
	pastFile      = "raw/past.jsonl"
	publishedFile = "past.jsonl"
)

// pastIn reads what earlier pairs left in a file; nothing when there is none.
func pastIn(name string) ([]compare.Past, error) {
	past, err := readFile(name, compare.ReadPast)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return past, err
}

// pastAt reads what earlier pairs left at a revision; nothing when there is no
// such revision, or none with the file. It changes nothing there.
func pastAt(ctx context.Context, root, ref string) ([]compare.Past, error) {
	text, err := revision.File(ctx, root, ref, publishedFile)
	if err != nil {
		return nil, err
	}
	past, err := compare.ReadPast(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("%s:%s: %w", ref, publishedFile, err)
	}
	return past, nil
}
