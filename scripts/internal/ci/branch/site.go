package branch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/files"
	"fairstream/scripts/internal/measure/build"
	"fairstream/scripts/internal/show/site"
)

// ServeAt is the default address of a site that is not written to disk.
const ServeAt = "127.0.0.1:8000"

// SiteOptions are the flags of the command site.
type SiteOptions struct {
	Clone   string // directory of a clone whose history is shown; "" is the project itself
	History string // revision or directory with runs/; "" looks for the branch, "none" uses no history
	To      string // directory for the site; "" writes no files
	Serve   string // address to serve it at; "" does not serve it
}

// Site writes the site of the history and of local records. With ServeAt it also serves the site until ctx
// ends.
func Site(ctx context.Context, root string, p SiteOptions, files []string) error {
	if p.To == "" && p.Serve == "" {
		p.Serve = ServeAt
	}
	if p.To != "" {
		if err := replaceable(p.To); err != nil {
			return err
		}
	}
	var listener net.Listener
	if p.Serve != "" { // fail before minutes of work
		var err error
		if listener, err = net.Listen("tcp", p.Serve); err != nil {
			return cli.Usagef("site: -serve %s: %w; choose another address, such as 127.0.0.1:0", p.Serve, err)
		}
		defer listener.Close()
	}
	dir, clean, err := p.build(ctx, root, files)
	defer clean()
	if err == nil && listener == nil {
		fmt.Fprintf(os.Stderr, "site: %s has the site; browsers show it only from a web server, such as python3 -m http.server -d %s 8000\n", p.To, p.To)
	}
	if err != nil || listener == nil {
		return err
	}
	return serve(ctx, listener, dir)
}

// build writes the site and returns its directory. clean removes temporary files.
func (p SiteOptions) build(ctx context.Context, root string, own []string) (dir string, clean func(), err error) {
	scratch, remove, err := files.MkdirTemp("", "fairstream-publish-")
	if err != nil {
		return "", func() {}, err
	}
	clean = func() { _ = remove() } // best effort: a temporary directory
	bar := cli.NewBar(os.Stderr, 0)
	defer func() { bar.End() }()
	say := func(step string) { bar.Step(step, 0) }
	say("site: reading the history and the trials")
	facts, closeFiles, err := p.facts(ctx, root, scratch, own)
	if err != nil {
		return "", clean, err
	}
	defer closeFiles()
	pages, err := build.Pages(ctx, root, say)
	if err != nil {
		return "", clean, fmt.Errorf("site: %w", err)
	}
	to, err := filepath.Abs(cmp.Or(p.To, filepath.Join(scratch, "site")))
	if err != nil {
		return "", clean, err
	}
	var built site.Built
	started := false
	err = files.ReplaceDir(to, func(dir string) (err error) {
		started = true
		out := func(path string, data []byte) error { return writeUnder(ctx, dir, path, data) }
		if built, err = site.Build(facts, out, say); err != nil {
			return err
		}
		say("site: writing pages")
		if err := site.Pages(pages, built, out); err != nil {
			return err
		}
		return oldCharts(facts.Files, out)
	})
	bar.End()
	if err != nil && !started {
		return "", clean, cli.Usagef("site: -o %w", err)
	}
	if errors.Is(err, syscall.ENOSPC) {
		err = fmt.Errorf("site: %w; free some space, or name another directory with -o", err)
	}
	if err != nil {
		return "", clean, err
	}
	for _, b := range built.Manifest.Broken {
		fmt.Fprintf(os.Stderr, "site: left out: %s: %s\n", b.File, b.Why)
	}
	of := built.Counts
	counts := []string{site.Many(of.Commits, "commit"), site.Many(of.Servers, "server")}
	if n := of.Comparisons; n > 0 {
		counts = append(counts, site.Many(n, "comparison"))
	}
	fmt.Fprintf(os.Stderr, "site: %s, %d series\n", strings.Join(counts, ", "), of.Series)
	if p.To != "" {
		fmt.Fprintf(os.Stderr, "site: the site is in %s\n", p.To)
	}
	return to, clean, nil
}

// serve shows a site until ctx ends, which is not an error.
func serve(ctx context.Context, listener net.Listener, dir string) error {
	in, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer in.Close() // read only
	server := &http.Server{Handler: http.FileServerFS(in.FS()), ReadHeaderTimeout: 10 * time.Second}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	fmt.Fprintf(cli.Stdout, "http://%s/\n", listener.Addr())
	fmt.Fprintln(os.Stderr, "site: open this address in a browser; Ctrl-C ends it")
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
		return server.Close()
	}
}

// replaceable refuses a directory that has files other than a site.
func replaceable(to string) error {
	switch entries, err := os.ReadDir(to); {
	case errors.Is(err, os.ErrNotExist), err == nil && len(entries) == 0:
		return nil
	case err != nil:
		return cli.Usagef("site: -o: %w", err)
	}
	if _, err := os.Stat(filepath.Join(to, "data", "manifest.json")); err != nil {
		return cli.Usagef("site: -o %s: it has files, but none of a site; name another directory", to)
	}
	return nil
}

// writeUnder writes a file of the site below dir.
func writeUnder(ctx context.Context, dir, path string, data []byte) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if !filepath.IsLocal(path) {
		return fmt.Errorf("site: %s: outside of the site", path)
	}
	path = filepath.Join(dir, path)
	err := os.WriteFile(path, data, 0o644)
	if errors.Is(err, os.ErrNotExist) {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		err = os.WriteFile(path, data, 0o644)
	}
	return err
}

// trimmed turns git's address of a repository into one for people; "" if it has none.
func trimmed(url string) string {
	if path, ok := strings.CutPrefix(url, "git@github.com:"); ok {
		url = "https://github.com/" + path
	}
	url = strings.TrimSuffix(strings.TrimSuffix(url, "/"), ".git")
	if !repositoryForm.MatchString(url) {
		return ""
	}
	return url
}

// until is a file system that opens no more files after ctx ended.
type until struct {
	ctx context.Context
	fs.FS
}

func (u until) Open(name string) (fs.File, error) {
	if err := u.ctx.Err(); err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return u.FS.Open(name)
}

// oldCharts copies the chart points for github-action-benchmark's own page.
func oldCharts(files fs.FS, out site.Out) error {
	if files == nil {
		return nil
	}
	text, err := fs.ReadFile(files, ChartPath)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("site: %s: %w", ChartPath, err)
	}
	return out(ChartPath, text)
}
