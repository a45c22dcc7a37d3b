package revision

import (
	"archive/tar"
	"context"
	"errors"
	"io"
	"strings"
)

// Texts are what files at a revision say, by path; of a path that is no regular file
// there is none. They are read at once: a process for each costs more than the file.
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
