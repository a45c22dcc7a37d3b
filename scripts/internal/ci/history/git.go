package history

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"fairstream/scripts/internal/measure/process"
)

// Branch is where the history is.
const Branch = "gh-pages"

// A Remote is the repository that has the history, and how to be let in.
type Remote struct {
	URL    string // or a path
	Server string // https://github.com; where Token may be sent
	Token  string // "": as git itself is set up
}

// Origin is the remote of a checkout. A relative path is made absolute, since
// git is run elsewhere.
func Origin(ctx context.Context, root string) (string, error) {
	out, err := process.Output(ctx, process.Command{Args: []string{"git", "config", "--get", "remote.origin.url"}, Dir: root})
	if err != nil {
		return "", fmt.Errorf("history: %s has no remote origin: %w", root, err)
	}
	url := strings.TrimSpace(out)
	if !filepath.IsAbs(url) && !strings.Contains(url, ":") {
		url = filepath.Join(root, url)
	}
	return url, nil
}

// environment lets git in without a word on its command line, where every user
// of the machine could read it. What the environment already configures stays.
func (r Remote) environment() []string {
	if r.Token == "" {
		return nil
	}
	n, _ := strconv.Atoi(os.Getenv("GIT_CONFIG_COUNT")) // unset is 0; what is no number configures nothing
	basic := base64.StdEncoding.EncodeToString([]byte("x-access-token:" + r.Token))
	return []string{
		fmt.Sprintf("GIT_CONFIG_COUNT=%d", n+1),
		fmt.Sprintf("GIT_CONFIG_KEY_%d=http.%s/.extraheader", n, strings.TrimSuffix(r.Server, "/")),
		fmt.Sprintf("GIT_CONFIG_VALUE_%d=AUTHORIZATION: basic %s", n, basic),
	}
}

// A store is an empty repository of our own that knows the remote's branch.
// There is no working tree: whatever lies on the branch, a symlink or a file
// named .git, is never written to this disk as such.
type store struct {
	remote Remote
	dir    string
	tip    string // of the branch when it was fetched; "" when there is none
}

func open(ctx context.Context, remote Remote) (*store, error) {
	dir, err := os.MkdirTemp("", "fairstream-history-")
	if err != nil {
		return nil, err
	}
	s := &store{remote: remote, dir: dir}
	if _, err := s.git(ctx, "init", "--quiet", "--bare", "--template=", "."); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

func (s *store) close() error { return os.RemoveAll(s.dir) }

// git runs git with neither hooks nor signatures nor questions.
func (s *store) git(ctx context.Context, args ...string) (string, error) {
	settings := []string{"git", "-c", "core.hooksPath=/dev/null", "-c", "commit.gpgSign=false", "-c", "push.gpgSign=false",
		"-c", "gc.auto=0", "-c", "maintenance.auto=false", "-c", "core.autocrlf=false"}
	out, err := process.Output(ctx, process.Command{
		Args: append(settings, args...), Dir: s.dir, Secret: s.remote.environment(),
		Env: []string{"GIT_DIR=.", "GIT_TERMINAL_PROMPT=0", "LC_ALL=C",
			"GIT_AUTHOR_NAME=" + botName, "GIT_AUTHOR_EMAIL=" + botEmail, "GIT_COMMITTER_NAME=" + botName, "GIT_COMMITTER_EMAIL=" + botEmail},
	})
	return strings.TrimSuffix(out, "\n"), err
}

// GitHub shows these as its own robot.
const botName, botEmail = "github-actions[bot]", "41898282+github-actions[bot]@users.noreply.github.com"

// fetch gets the newest commit of the branch, without its past.
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

// read is a file on the branch, nil when it is not there.
func (s *store) read(ctx context.Context, path string) ([]byte, error) {
	if s.tip == "" {
		return nil, nil
	}
	out, err := s.git(ctx, "ls-tree", s.tip, "--", path)
	if err != nil || out == "" {
		return nil, err
	}
	blob, name, _ := strings.Cut(out, "\t") // "100644 blob HASH<tab>path"
	fields := strings.Fields(blob)
	if len(fields) != 3 || fields[1] != "blob" || name != path {
		return nil, fmt.Errorf("%s on %s is no file: %s", path, Branch, blob)
	}
	// Not by git, which would have its last newline cut.
	text, err := process.Output(ctx, process.Command{Args: []string{"git", "cat-file", "blob", fields[2]}, Dir: s.dir, Env: []string{"GIT_DIR=."}})
	if text == "" {
		return []byte{}, err
	}
	return []byte(text), err
}

// list is all files below a directory of the branch.
func (s *store) list(ctx context.Context, dir string) ([]string, error) {
	if s.tip == "" {
		return nil, nil
	}
	out, err := s.git(ctx, "ls-tree", "-r", "-z", "--name-only", s.tip, "--", dir+"/")
	return strings.FieldsFunc(out, func(r rune) bool { return r == 0 }), err
}

// commit makes a commit of the branch's files with some added or replaced.
func (s *store) commit(ctx context.Context, files map[string][]byte, message string) (string, error) {
	base := []string{"read-tree", "--empty"}
	if s.tip != "" {
		base = []string{"read-tree", s.tip}
	}
	if _, err := s.git(ctx, base...); err != nil {
		return "", err
	}
	input := filepath.Join(s.dir, "input")
	for path, data := range files {
		if err := os.WriteFile(input, data, 0o600); err != nil {
			return "", err
		}
		blob, err := s.git(ctx, "hash-object", "-w", "--no-filters", input)
		if err != nil {
			return "", err
		}
		if _, err := s.git(ctx, "update-index", "--add", "--cacheinfo", "100644,"+blob+","+path); err != nil {
			return "", err
		}
	}
	tree, err := s.git(ctx, "write-tree")
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(input, []byte(message), 0o600); err != nil {
		return "", err
	}
	args := []string{"commit-tree", tree, "-F", input}
	if s.tip != "" {
		args = append(args, "-p", s.tip)
	}
	return s.git(ctx, args...)
}

// push moves the branch from the commit that was fetched to another, and fails
// when it is no longer there. The lease is not there to force anything: it also
// notices a branch that was set back in between, of which a plain push would
// bring back what somebody took away.
func (s *store) push(ctx context.Context, commit string) error {
	ref := "refs/heads/" + Branch
	_, err := s.git(ctx, "push", "--quiet", "--force-with-lease="+ref+":"+s.tip, s.remote.URL, commit+":"+ref)
	return err
}

// Chart is the chart on the branch.
func (r Remote) Chart(ctx context.Context) (Chart, error) {
	s, err := open(ctx, r)
	if err != nil {
		return Chart{}, err
	}
	defer s.close() // else the system removes it some day
	if err := s.fetch(ctx); err != nil {
		return Chart{}, fmt.Errorf("history: %w", err)
	}
	data, err := s.read(ctx, ChartPath)
	if err != nil {
		return Chart{}, fmt.Errorf("history: %w", err)
	}
	chart, err := ParseChart(data)
	if err != nil {
		return chart, &Broken{ChartPath, err}
	}
	return chart, nil
}

// A Broken is a file on the branch, beside the records, that cannot be read.
type Broken struct {
	Path string
	error
}

func (b *Broken) Error() string {
	return fmt.Sprintf("history: %s on %s: %v; mend the file, or delete it to begin a new one (the records in runs/ are whole)", b.Path, Branch, b.error)
}

// Time is when a commit was made, from the checkout or else from the remote.
func (r Remote) Time(ctx context.Context, root, commit string) (time.Time, error) {
	show := []string{"show", "--no-patch", "--no-show-signature", "--format=%cI", commit}
	out, err := process.Output(ctx, process.Command{Args: append([]string{"git"}, show...), Dir: root})
	if err != nil {
		s, err := open(ctx, r)
		if err != nil {
			return time.Time{}, err
		}
		defer s.close() // else the system removes it some day
		if _, err := s.git(ctx, "fetch", "--quiet", "--no-tags", "--depth=1", r.URL, commit); err != nil {
			return time.Time{}, fmt.Errorf("history: commit %.10s: %w", commit, err)
		}
		if out, err = s.git(ctx, show...); err != nil {
			return time.Time{}, fmt.Errorf("history: commit %.10s: %w", commit, err)
		}
	}
	when, err := time.Parse(time.RFC3339, strings.TrimSpace(out))
	return when.UTC(), err
}
