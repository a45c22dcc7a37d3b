package revision

import (
	"archive/tar"
	"context"
	"errors"
	"io"
	"strings"
)

// Texts returns the contents of regular files at a revision by path. It reads all of them with one process,
// since starting one costs more than reading a file.
func Texts(ctx context.Context, root, ref string, paths []string) (map[string][]byte, error) {
	texts := map[string][]byte{}
	if len(paths) == 0 {
		return texts, nil
	}
	out, err := git(ctx, root, append([]string{"--literal-pathspecs", "archive", "--format=tar", ref, "--"}, paths...)...)
	if err != nil {
		return nil, err
	}
	for in := tar.NewReader(strings.NewReader(out)); ; {
		header, err := in.Next()
		if errors.Is(err, io.EOF) {
			return texts, nil
		}
		if err != nil {
			return nil, err
		}
		if header.Typeflag != tar.TypeReg {
			continue
		}
		if texts[header.Name], err = io.ReadAll(in); err != nil {
			return nil, err
		}
	}
}
