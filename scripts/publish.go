package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"fairstream/scripts/internal/cli/progress"
	"fairstream/scripts/internal/measure/setup"
	"fairstream/scripts/internal/show/site"
	"fairstream/scripts/internal/show/site/serve"
)

// serveAt is where a site is shown that is not written anywhere.
const serveAt = "127.0.0.1:8000"

// A plannedSite is what the flags of publish say.
type plannedSite struct {
	history, to, serve string
}

func publishCommand(flags *flag.FlagSet) func(context.Context, []string) error {
	var p plannedSite
	flags.StringVar(&p.history, "history", "", "`revision` with runs/, or a directory that has it (default: origin/gh-pages or gh-pages, if there is one; none: without)")
	flags.StringVar(&p.to, "o", "", "`directory` for the site; one that publish wrote before is replaced")
	flags.StringVar(&p.serve, "serve", "", "show the site at this `address` until Ctrl-C (default, without -o: "+serveAt+")")
	return func(ctx context.Context, files []string) error {
		if p.to == "" && p.serve == "" {
			p.serve = serveAt
		}
		root, err := setup.Root()
		if err != nil {
			return err
		}
		if p.to != "" {
			if err := replaceable(p.to); err != nil {
				return err
			}
		}
		var listener net.Listener
		if p.serve != "" { // before minutes of work
			if listener, err = net.Listen("tcp", p.serve); err != nil {
				return usageError{fmt.Errorf("publish: -serve %s: %w; choose another address, such as 127.0.0.1:0", p.serve, err)}
			}
			defer listener.Close()
		}
		dir, clean, err := p.build(ctx, root, files)
		defer clean()
		if err != nil || listener == nil {
			return err
		}
		return show(ctx, listener, dir)
	}
}

// build writes the site and says where it is; clean removes what is left of the way.
func (p plannedSite) build(ctx context.Context, root string, files []string) (dir string, clean func(), err error) {
	scratch, err := os.MkdirTemp("", "fairstream-publish-")
	if err != nil {
		return "", func() {}, err
	}
	clean = func() { os.RemoveAll(scratch) } // else the system removes it some day
	bar := progress.New(os.Stderr, 0)
	defer func() { bar.End() }()
	say := func(step string) { bar.Step(step, 0) }
	say("publish: asking git")
	facts, closeFiles, err := p.facts(ctx, root, scratch, files)
	if err != nil {
		return "", clean, err
	}
	defer closeFiles()
	pages, err := buildPages(ctx, root, say)
	if err != nil {
		return "", clean, err
	}
	to, err := filepath.Abs(cmp.Or(p.to, filepath.Join(scratch, "site")))
	if err != nil {
		return "", clean, err
	}
	var built site.Built
	err = replaced(to, func(dir string) (err error) {
		out := func(path string, data []byte) error { return writeUnder(ctx, dir, path, data) }
		if built, err = site.Build(facts, out, say); err != nil {
			return err
		}
		say("publish: writing pages")
		if err := site.Pages(pages, built, out); err != nil {
			return err
		}
		return oldCharts(facts.Files, out)
	})
	bar.End()
	if err != nil {
		return "", clean, err
	}
	m := built.Manifest
	for _, b := range m.Broken {
		fmt.Fprintf(os.Stderr, "publish: left out: %s: %s\n", b.File, b.Why)
	}
	fmt.Fprintf(os.Stderr, "publish: %s, %s, %d series\n", site.Many(m.Commits.Count, "commit"), site.Many(len(m.Servers), "server"), len(m.Series))
	if p.to != "" {
		fmt.Fprintf(os.Stderr, "publish: the site is in %s\n", p.to)
	}
	return to, clean, nil
}

// show serves a site until we are interrupted, which is how it is meant to end.
func show(ctx context.Context, listener net.Listener, dir string) error {
	in, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer in.Close() // it was only read
	server := &http.Server{Handler: serve.Handler(in.FS()), ReadHeaderTimeout: 10 * time.Second}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	fmt.Fprintf(stdout, "http://%s/\n", listener.Addr())
	fmt.Fprintln(os.Stderr, "publish: open this address in a browser; Ctrl-C ends it")
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
		return server.Close()
	}
}

// replaceable says that a directory is not there, is empty or has a site.
func replaceable(to string) error {
	switch entries, err := os.ReadDir(to); {
	case errors.Is(err, os.ErrNotExist), err == nil && len(entries) == 0:
		return nil
	case err != nil:
		return usageError{fmt.Errorf("publish: -o: %w", err)}
	}
	if _, err := os.Stat(filepath.Join(to, "data", "manifest.json")); err != nil {
		return usageError{fmt.Errorf("publish: -o %s: it has files, but none of a site; name another directory", to)}
	}
	return nil
}

// writeUnder writes a file of the site. Paths are of our own making, and stay below.
func writeUnder(ctx context.Context, dir, path string, data []byte) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if !filepath.IsLocal(path) {
		return fmt.Errorf("publish: %s: outside of the site", path)
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

// trimmed is a repository's address for people, from that for git; "" when it is none.
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
