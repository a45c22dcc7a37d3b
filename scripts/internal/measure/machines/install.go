package machines

import (
	"archive/tar"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fairstream/scripts/internal/files"
)

// Install brings k6, its scripts and the stub to the load machine, unless the same are there, and sets Root. Their directory is
// called by their hash, which is checked there. Those that nobody used for a month go.
func (m *Machine) Install(ctx context.Context, root string) error {
	dir, remove, err := files.MkdirTemp("", "fairstream-rig-")
	if err != nil {
		return err
	}
	defer remove() // best effort: a temporary directory
	archive := filepath.Join(dir, "rig.tar")
	hash, err := pack(root, archive)
	if err != nil {
		return err
	}
	out, err := m.Run(ctx, nil, `dir="${XDG_CACHE_HOME:-$HOME/.cache}/fairstream"
mkdir -p "$dir" && find "$dir" -mindepth 1 -maxdepth 1 -mtime +30 ! -name "$1" -exec rm -rf {} + && echo "$dir/$1"
if [ -d "$dir/$1" ]; then touch "$dir/$1" && echo there; fi`, hash)
	if err != nil {
		return err
	}
	there := strings.Fields(out)
	if len(there) == 0 || !strings.HasPrefix(there[0], "/") {
		return fmt.Errorf("load machine %s: its cache is %q; want an absolute path in $HOME", m.Load.SSH, out)
	}
	m.Root = there[0]
	if len(there) > 1 {
		return nil
	}
	f, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer f.Close() // read only
	_, err = m.Run(ctx, f, `set -e
umask 077
new=$1.new.$$
trap 'rm -rf "$new" "$new.tar"' EXIT
cat >"$new.tar"
echo "$2  $new.tar" | sha256sum --check --quiet
mkdir "$new"
tar -xf "$new.tar" -C "$new"
mv -T "$new" "$1" || [ -d "$1" ]`, m.Root, hash)
	return err
}

// pack writes an archive of the rig, the same for the same files, and returns its hash.
func pack(root, archive string) (hash string, err error) {
	names, err := rigFiles(root)
	if err != nil {
		return "", err
	}
	f, err := os.Create(archive)
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	w := tar.NewWriter(io.MultiWriter(f, sum))
	for _, name := range names {
		err = errors.Join(err, add(w, root, name))
	}
	if err = errors.Join(err, w.Close(), f.Close()); err != nil {
		return "", err
	}
	return fmt.Sprintf("%x", sum.Sum(nil)), nil
}

// rigFiles are k6, the stub, and all scripts of k6, below root.
func rigFiles(root string) (names []string, err error) {
	for _, pattern := range []string{"k6/bin/k6", "stub/bin/stub", "k6/*/*.js"} {
		found, err := fs.Glob(os.DirFS(root), pattern)
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("%s: not there; run `scripts/bench setup`", filepath.Join(root, pattern))
		}
		names = append(names, found...)
	}
	return slices.DeleteFunc(names, func(name string) bool { return strings.Contains(path.Base(name), "_test.") }), nil
}

func add(w *tar.Writer, root, name string) error {
	f, err := os.Open(filepath.Join(root, name))
	if err != nil {
		return err
	}
	defer f.Close() // read only
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o700, Size: info.Size(), ModTime: time.Unix(0, 0), Format: tar.FormatPAX}); err != nil {
		return err
	}
	_, err = io.Copy(w, f)
	return err
}
