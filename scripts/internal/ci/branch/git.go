package branch

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"fairstream/scripts/internal/files"
	"fairstream/scripts/internal/measure/process"
)

// Branch is the branch of the history.
const Branch = "gh-pages"

// A Remote is the repository of the history, with the access to it.
type Remote struct {
	URL    string // or a path
	Server string // https://github.com; the only place that gets Token
	Token  string // "" uses git's own settings
}

// Origin is the remote of a checkout. A relative path becomes absolute, since git runs in another directory.
func Origin(ctx context.Context, root string) (string, error) {
	out, err := process.Output(ctx, process.Command{Args: []string{"git", "config", "--get", "remote.origin.url"}, Dir: root})
	if err != nil {
		return "", fmt.Errorf("push: %s has no remote origin: %w", root, err)
	}
	url := strings.TrimSpace(out)
	if !filepath.IsAbs(url) && !strings.Contains(url, ":") {
		url = filepath.Join(root, url)
	}
	return url, nil
}

// environment passes the token to git. A command line would show it to every user of the machine. Existing
// configuration of the environment stays.
func (r Remote) environment() []string {
	if r.Token == "" {
		return nil
	}
	n, _ := strconv.Atoi(os.Getenv("GIT_CONFIG_COUNT")) // unset is 0; other text configures nothing
	basic := base64.StdEncoding.EncodeToString([]byte("x-access-token:" + r.Token))
	return []string{
		fmt.Sprintf("GIT_CONFIG_COUNT=%d", n+1),
		fmt.Sprintf("GIT_CONFIG_KEY_%d=http.%s/.extraheader", n, strings.TrimSuffix(r.Server, "/")),
		fmt.Sprintf("GIT_CONFIG_VALUE_%d=AUTHORIZATION: basic %s", n, basic),
	}
}

// A store is an empty repository of our own that knows the remote's branch. It has no working tree. So
// nothing on the branch, such as a symlink or a file named .git, is ever written to this disk.
type store struct {
	remote Remote
	dir    string
	remove func() error // removes dir
	tip    string       // tip of the fetched branch; "" without a branch
	listed string       // the commit of known
	known  map[string]string
}

func open(ctx context.Context, remote Remote) (*store, error) {
	dir, remove, err := files.MkdirTemp("", "fairstream-history-")
	if err != nil {
		return nil, err
	}
	s := &store{remote: remote, dir: dir, remove: remove}
	if _, err := s.git(ctx, "init", "--quiet", "--bare", "--template=", "."); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

func (s *store) close() error { return s.remove() }

// git runs git without hooks, signatures or questions.
func (s *store) git(ctx context.Context, args ...string) (string, error) {
	return s.gitOf(ctx, nil, args...)
}

// gitOf is git with a standard input.
func (s *store) gitOf(ctx context.Context, input io.Reader, args ...string) (string, error) {
	settings := []string{"git", "-c", "core.hooksPath=/dev/null", "-c", "commit.gpgSign=false", "-c", "push.gpgSign=false",
		"-c", "gc.auto=0", "-c", "maintenance.auto=false", "-c", "core.autocrlf=false"}
	out, err := process.Output(ctx, process.Command{
		Args: append(settings, args...), Dir: s.dir, Secret: s.remote.environment(), Stdin: input,
		Env: []string{"GIT_DIR=.", "GIT_TERMINAL_PROMPT=0", "LC_ALL=C"},
	})
	return strings.TrimSuffix(out, "\n"), err
}

// GitHub shows these as its own bot.
const botName, botEmail = "github-actions[bot]", "41898282+github-actions[bot]@users.noreply.github.com"

// fetch gets the newest commit of the branch, without the older ones.
func (s *store) fetch(ctx context.Context) error {
	ref := "refs/heads/" + Branch
	out, err := s.git(ctx, "ls-remote", s.remote.URL, ref)
	if err != nil {
		return err
	}
	if s.tip = ""; out == "" {
		return nil
	}
	if _, err := s.git(ctx, "fetch", "--quiet", "--no-tags", "--depth=1", s.remote.URL, "+"+ref+":refs/fetched"); err != nil {
		return err
	}
	s.tip, err = s.git(ctx, "rev-parse", "refs/fetched")
	return err
}

// entries lists the branch's files and directories by path, each as "TYPE HASH".
func (s *store) entries(ctx context.Context) (map[string]string, error) {
	if s.tip == "" {
		return nil, nil
	}
	if s.listed == s.tip {
		return s.known, nil
	}
	out, err := s.git(ctx, "ls-tree", "-r", "-t", "-z", "--format=%(objecttype) %(objectname)%x09%(path)", s.tip)
	if err != nil {
		return nil, err
	}
	s.listed, s.known = s.tip, map[string]string{}
	for line := range strings.SplitSeq(out, "\x00") {
		of, path, _ := strings.Cut(line, "\t")
		s.known[path] = of
	}
	return s.known, nil
}

// read returns a file on the branch; nil without it.
func (s *store) read(ctx context.Context, path string) ([]byte, error) {
	entries, err := s.entries(ctx)
	if err != nil || entries[path] == "" {
		return nil, err
	}
	blob, ok := strings.CutPrefix(entries[path], "blob ")
	if !ok {
		return nil, unreadable{path, fmt.Errorf("not a file: %s", entries[path])}
	}
	// The method git would cut the last newline.
	text, err := process.Output(ctx, process.Command{Args: []string{"git", "cat-file", "blob", blob}, Dir: s.dir, Env: []string{"GIT_DIR=."}})
	if err != nil && ctx.Err() == nil { // such as a file that is too large
		err = unreadable{path, err}
	}
	return append([]byte{}, text...), err
}

// readOptional reads a file without which a run is kept all the same.
func (s *store) readOptional(ctx context.Context, path string) (text []byte, broken *Broken, err error) {
	text, err = s.read(ctx, path)
	if not, ok := errors.AsType[unreadable](err); ok {
		return nil, &Broken{path, not.error}, nil
	}
	return text, nil, err
}

// list returns the files below a directory of the branch, by name.
func (s *store) list(ctx context.Context, dir string) (files []string, err error) {
	entries, err := s.entries(ctx)
	for path, of := range entries {
		if strings.HasPrefix(path, dir+"/") && !strings.HasPrefix(of, "tree ") {
			files = append(files, path)
		}
	}
	slices.Sort(files)
	return files, err
}

// commit makes a commit of the branch with some files added or replaced. It uses one git process, since
// starting more takes longer than their work.
func (s *store) commit(ctx context.Context, files map[string][]byte, message string) (string, error) {
	var in bytes.Buffer
	fmt.Fprintf(&in, "commit refs/made\nmark :1\ncommitter %s <%s> now\ndata %d\n%s\n", botName, botEmail, len(message), message)
	if s.tip != "" {
		fmt.Fprintf(&in, "from %s\n", s.tip)
	}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(&in, "M 100644 inline %s\ndata %d\n%s\n", path, len(files[path]), files[path])
	}
	in.WriteString("get-mark :1\n")
	return s.gitOf(ctx, &in, "fast-import", "--quiet", "--force", "--date-format=now")
}

// push moves the branch from the fetched commit to another one. It fails when the branch has moved. The lease
// forces nothing. It also notices a branch that was reset meanwhile, where a plain push would restore removed
// commits.
func (s *store) push(ctx context.Context, commit string) error {
	ref := "refs/heads/" + Branch
	_, err := s.git(ctx, "push", "--quiet", "--force-with-lease="+ref+":"+s.tip, s.remote.URL, commit+":"+ref)
	return err
}

// Chart reads the chart on the branch.
func (r Remote) Chart(ctx context.Context) (Chart, error) {
	s, err := open(ctx, r)
	if err != nil {
		return Chart{}, err
	}
	defer s.close() // best effort: a temporary directory
	if err := s.fetch(ctx); err != nil {
		return Chart{}, fmt.Errorf("push: %w", err)
	}
	data, broken, err := s.readOptional(ctx, ChartPath)
	if err != nil {
		return Chart{}, fmt.Errorf("push: %w", err)
	}
	if broken != nil {
		return Chart{}, broken
	}
	chart, err := ParseChart(data)
	if err != nil {
		return chart, &Broken{ChartPath, err}
	}
	return chart, nil
}

// An unreadable is a path on the branch that has no file, or one that is too large.
type unreadable struct {
	path string
	error
}

func (u unreadable) Error() string { return fmt.Sprintf("%s on %s: %v", u.path, Branch, u.error) }

// A Broken names an unreadable file on the branch other than the records.
type Broken struct {
	Path string
	error
}

func (b *Broken) Error() string {
	return fmt.Sprintf("push: %s on %s: %v; repair the file, or delete it to begin a new one (the records in runs/ are whole)", b.Path, Branch, b.error)
}

// Time is the time of a commit, from the checkout or else from the remote.
func (r Remote) Time(ctx context.Context, root, commit string) (time.Time, error) {
	show := []string{"show", "--no-patch", "--no-show-signature", "--format=%cI", commit}
	out, err := process.Output(ctx, process.Command{Args: append([]string{"git"}, show...), Dir: root})
	if err != nil {
		s, err := open(ctx, r)
		if err != nil {
			return time.Time{}, err
		}
		defer s.close() // best effort: a temporary directory
		if _, err := s.git(ctx, "fetch", "--quiet", "--no-tags", "--depth=1", r.URL, commit); err != nil {
			return time.Time{}, fmt.Errorf("push: commit %.10s: %w", commit, err)
		}
		if out, err = s.git(ctx, show...); err != nil {
			return time.Time{}, fmt.Errorf("push: commit %.10s: %w", commit, err)
		}
	}
	when, err := time.Parse(time.RFC3339, strings.TrimSpace(out))
	return when.UTC(), err
}
