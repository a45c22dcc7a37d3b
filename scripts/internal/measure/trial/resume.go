package trial

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"fairstream/scripts/internal/cli"
)

// finished reads the finished trials in a file; none without it.
func finished[T any](file string, read func(io.Reader) ([]T, error)) ([]T, error) {
	trials, err := cli.ReadFile(file, read)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, cli.Usagef("prove: %w; move the file away, or repair it", err)
	}
	return trials, nil
}

// untilLimit tries tasks one after the other. It starts none after the limit, or tries all where the limit is 0.
// done is the number of trials that finished before. label follows a task's number in the progress.
func untilLimit[T any](limit time.Duration, done int, tasks []T, label func(T) string, try func(T) error) error {
	started := time.Now()
	for i, task := range tasks {
		if limit > 0 && time.Since(started) > limit {
			fmt.Fprintf(os.Stderr, "prove: %d trials are left; the same command goes on\n", len(tasks)-i)
			break
		}
		fmt.Fprintf(os.Stderr, "prove: trial %d of %d%s\n", done+i+1, done+len(tasks), label(task))
		if err := try(task); err != nil {
			return err
		}
	}
	return nil
}
