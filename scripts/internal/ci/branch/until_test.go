package branch

import (
	"context"
	"errors"
	"io/fs"
	"testing"
	"testing/fstest"
)

func TestFilesThatAreReadUntilTheEnd(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	files := until{ctx, fstest.MapFS{"a": {}}}
	if _, err := fs.ReadFile(files, "a"); err != nil {
		t.Error(err)
	}
	cancel()
	if _, err := fs.ReadFile(files, "a"); !errors.Is(err, context.Canceled) {
		t.Errorf("afterwards: %v", err)
	}
}
