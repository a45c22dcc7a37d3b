package e2e

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict/comparetest"
	"fairstream/scripts/internal/show/site/simulate"
)

// interruptedCompare replays a comparison of many servers, so that there is time for a signal.
func interruptedCompare(p testProject) (time.Duration, func(int) moment) {
	p.writeComparison("run.jsonl", 40)
	started := time.Now()
	whole := p.bench("replay", "run.jsonl")
	took := time.Since(started)
	whole.expect(p.T, 0)
	p.Logf("compare: %.1f s without a signal", took.Seconds())
	return took, func(int) moment {
		return moment{args: []string{"replay", "run.jsonl"}, ended: func(status int, stdout, _ string) string {
			if !strings.HasPrefix(whole.stdout, stdout) {
				p.Errorf("it says what it does not say undisturbed:\n%s", stdout)
			}
			if status != whole.status {
				return "while it compared"
			}
			if stdout != whole.stdout {
				p.Error("it had finished, and says less than undisturbed")
			}
			return "it had finished"
		}}
	}
}

// writeComparison writes records of a comparison of this many servers, which are copies of one.
func (p testProject) writeComparison(name string, servers int) {
	p.Helper()
	var text strings.Builder
	for _, line := range comparetest.Lines(p.T, "internal/judge/record/testdata/mixed.jsonl", func(*record.Record) {}) {
		if strings.Contains(line, `"name":"direct"`) {
			text.WriteString(line)
			continue
		}
		for i := range servers {
			text.WriteString(strings.Replace(line, `"name":"go-http"`, fmt.Sprintf(`"name":"server-%d"`, i), 1))
		}
	}
	p.write(name, text.String())
}

// interruptedPublish publishes two histories in turn into one place: there is always
// a whole site of one of them.
func interruptedPublish(p testProject) (time.Duration, func(int) moment) {
	p.pages()
	p.write(".gitignore", "dist/\nnode_modules/\n")
	p.git("init", "--quiet", "--initial-branch=main")
	p.git("add", "gh-pages")
	p.git("commit", "--quiet", "-m", "first")
	var histories []string
	for _, commits := range []int{120, 160} {
		dir := fmt.Sprint("history", commits)
		_, err := simulate.Write(simulate.Options{Commits: commits, Servers: 4}, func(path string, data []byte) error {
			p.write(filepath.Join(dir, path), string(data))
			return nil
		})
		p.must(err)
		histories = append(histories, dir)
	}
	var took time.Duration
	sites := map[string]string{}
	for _, history := range histories {
		started := time.Now()
		p.bench("site", "-history", history, "-o", "want/"+history).expect(p.T, 0)
		took = time.Since(started) // of the second, whose pages are built
		sites[p.tree("want/"+history)] = history
	}
	p.bench("site", "-history", histories[1], "-o", "site").expect(p.T, 0)
	p.must(os.RemoveAll(filepath.Join(p.root, "gh-pages/dist"))) // so that it is built anew until one is whole
	p.Logf("site: %.1f s without a signal", took.Seconds())
	return took * 5 / 4, func(i int) moment {
		if i%10 == 9 {
			p.must(os.RemoveAll(filepath.Join(p.root, "gh-pages/dist")))
		}
		before := sites[p.tree("site")]
		return moment{args: []string{"site", "-history", histories[i%2], "-o", "site"}, ended: func(status int, _, _ string) string {
			left, err := filepath.Glob(filepath.Join(p.root, ".site-*"))
			if err != nil || len(left) > 0 {
				p.Errorf("left %q, %v", left, err)
			}
			switch after := sites[p.tree("site")]; {
			case after == "":
				p.Error("the site is none of the two")
			case status > 1 && after == before:
				return "the site that there was"
			case after == histories[i%2]:
				if status <= 1 {
					return "it had finished"
				}
				return "the new site"
			default:
				p.Errorf("exit status %d, and the site is of %s", status, after)
			}
			return ""
		}}
	}
}

// tree is a hash of all files below a directory.
func (p testProject) tree(dir string) string {
	p.Helper()
	hash := sha256.New()
	files := os.DirFS(filepath.Join(p.root, dir))
	p.must(fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(files, path)
		fmt.Fprintf(hash, "%s %d\n%s", path, len(text), text) // a hash takes all
		return err
	}))
	return fmt.Sprintf("%x", hash.Sum(nil))
}

// interruptedComparison goes on with one comparison again and again, until it is decided.
func interruptedComparison(p testProject) (time.Duration, func(int) moment) {
	p.git("init", "-q", "-b", "main")
	p.copy("../servers/relay/go-http", "servers/relay/go-http")
	base := p.commit()
	p.write("servers/relay/go-http/main.go", strings.Replace(p.text("servers/relay/go-http/main.go"), "16 << 20", "15 << 20", 1))
	head := p.commit()
	comparisons, kept := 0, map[string]string{}
	return 70 * time.Second, func(int) moment {
		dir := filepath.Join(p.root, fmt.Sprint("out", comparisons))
		args := []string{"compare", "-quick", "-rounds", "12", "-base", base, "-head", head, "-seed", "1", "-o", dir}
		return moment{args: args, ended: func(status int, _, stderr string) string {
			facts := factsIn(dir)
			for path, text := range kept {
				if now, err := os.ReadFile(path); err != nil || string(now) != text {
					p.Errorf("%s was kept and is another, or gone: %v", path, err)
				}
			}
			for _, path := range facts {
				text, err := os.ReadFile(path)
				p.must(err)
				kept[path] = string(text)
			}
			// Three targets with a paced scenario and three levels.
			if got := p.records(dir); len(facts) > 0 && got != 12*len(facts) {
				p.Errorf("%d records of %d k6 runs", got, len(facts))
			}
			if status <= 1 {
				comparisons++
				return fmt.Sprintf("it had finished, with %d rounds", len(facts))
			}
			if len(facts) > 0 && strings.Contains(stderr, "interrupted") && !strings.Contains(stderr, "goes on") {
				p.Error("it does not say how to go on")
			}
			if len(facts) == 0 {
				return "before the first round was whole"
			}
			return fmt.Sprintf("with %d rounds kept", len(facts))
		}}
	}
}

// interruptedProve has trials already, which stay as they are.
func interruptedProve(p testProject) (time.Duration, func(int) moment) {
	p.copy("../servers/relay/go-http", "servers/relay/go-http")
	trials, err := filepath.Glob("internal/judge/prove/trials/*.jsonl")
	p.must(err)
	p.must(os.MkdirAll(filepath.Join(p.root, "proved"), 0o755))
	p.copy(trials[0], "proved/"+trialsFile)
	before := p.text("proved/" + trialsFile)
	return 60 * time.Second, func(i int) moment {
		args := []string{"prove", "-same", "0", "-edits", "0", "-injected", "cpu=3", "-trials", "60", "-o", "proved"}
		if i%5 == 4 {
			args = []string{"prove", "-tables", "-o", "proved"}
		}
		return moment{args: args, ended: func(status int, stdout, stderr string) string {
			text := p.text("proved/" + trialsFile)
			switch added := strings.Count(text, "\n") - strings.Count(before, "\n"); {
			case !strings.HasPrefix(text, before) || !strings.HasSuffix(text, "\n"):
				p.Error("the trials that there were are not those that there are")
			case added > 0:
				before = text
				return "a trial more was kept"
			case i%5 == 4 && status <= 1:
				return "tables: it had finished"
			case i%5 == 4:
				return "tables: while it resampled"
			case strings.Contains(stderr, "prove: trial "):
				return "in a trial, the others kept"
			case strings.Contains(stderr, "prove: a pilot"):
				return "in the pilot, the trials kept"
			}
			return "before the pilot, the trials kept"
		}}
	}
}
