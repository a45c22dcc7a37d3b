package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/testfile"
)

func TestWrongCommandLines(t *testing.T) {
	p := newProject(t)
	p.wrong("mute")
	p.write("full/file", "")
	p.write("full/json", "{}\n")
	p.copy("internal/judge/prove/trials/2026-12.jsonl", "trials.jsonl")
	p.copy("internal/judge/record/testdata/mixed.jsonl", "mixed.jsonl")
	for _, c := range []struct {
		args string
		want string
	}{
		{"", "no command"},
		{"bnech", `command "bnech": unknown; known are setup, list, init, build, verify, run`},
		{"run nobody", `server "nobody": unknown; known are relay/mute`},
		{"build nobody", `server "nobody": unknown; known are relay/mute`},
		{"run -scenario stres", `scenario "stres": unknown; relay has baseline, compare, soak, steady, stress`},
		{"run -fast", "run: flag provided but not defined: -fast; scripts/bench run -h lists its flags"},
		{"run -slice 5ms", "-slice 5ms: want 100ms to 1m0s"},
		{"run -slice 2m", "-slice 2m0s: want 100ms to 1m0s"},
		{"run -slice 250", "parse error, want a duration such as 30s or 500ms; scripts/bench run -h"},
		{"run -rounds some", "parse error, want a whole number; scripts/bench run -h"},
		{"run -scenario baseline,steady -slice 1s", "-slice 1s: has no effect on baseline and steady; use it with stress, compare"},
		{"run -scenario stress -for 5s", "-for 5s: has no effect on stress; use it with baseline, steady, soak, compare"},
		{"run -for 25h", "-for 25h0m0s: want 100ms to 24h0m0s"},
		{"run -placement far", `placement "far": want shared or split`},
		{"run -rounds 0", "-rounds 0: want 1 or more"},
		{"prove -tables -o nothing trials.jsonl trials.jsonl", "is in two of the files, and would count twice"},
		{"prove -servers nobody", `server "nobody": unknown; known are relay/mute`},
		{"prove -servers ./mute", `server "./mute": a directory; want servers of this project`},
		{"prove -servers all -edits 3", "-edits: has no effect with -patches, with -machines or with other servers than relay/go-http"},
		{"prove -tables -neighbour 1", "neighbour 1: want a share of the machine, from 0 and below 1"},
		{"run -o full", "full: is not empty; name another directory"},
		{"run -o full/file", "not a directory; name another directory"},
		{"list all", `unexpected argument "all"`},
		{"record", "want one directory of raw files"},
		{"run mute -quick", "run: -quick: flags come before other arguments: scripts/bench run -quick"},
		{"record full", "run.json: no such file or directory; want the directory of a run"},
		{"report", "want files of records"},
		{"report -format pdf full/file", `format "pdf": unknown; known are text, markdown`},
		{"report full", "full: "},
		{"report full/json", "full/json: line 1: "},
		{"report full/file", "report: no records: full/file"},
		{"report nowhere.jsonl", "nowhere.jsonl: no such file"},
	} {
		t.Run(c.args, func(t *testing.T) {
			p := testProject{t, p.root}
			p.bench(strings.Fields(c.args)...).expect(t, 2, c.want)
		})
	}
}

func TestHelpOnEveryCommand(t *testing.T) {
	p := newProject(t)
	for _, args := range []string{"help", "-h", "setup -h", "list -h", "build -h", "run -h", "record -h", "report -h", "help run"} {
		r := p.bench(strings.Fields(args)...)
		r.expect(t, 0)
		if !strings.Contains(r.stdout, "usage: scripts/bench") {
			t.Errorf("%s: no usage on stdout:\n%s", args, r.stdout)
		}
	}
}

func TestWrongServerJSON(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"malformed":   {"{\n  \"language\": \"go\",,\n}", "servers/relay/bad/server.json: line 2: invalid character"},
		"unknown key": {`{"workload": "relay", "language": "go", "port": 80}`, `servers/relay/bad/server.json: unknown key "port"; Fairstream sets $PORT`},
		"missing key": {`{"workload": "relay", "language": "go"}`, `servers/relay/bad/server.json: key "framework" is missing`},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProject(t)
			p.write("servers/relay/bad/server.json", c.text)
			for _, command := range []string{"list", "build", "run"} {
				p.bench(command).expect(t, 2, c.want)
			}
		})
	}
}

func TestMissingToolchainIsNamed(t *testing.T) {
	p := newProject(t)
	p.write("servers/relay/crab/server.json", `{"workload": "relay", "language": "rust", "framework": "none", "build": ["cargo", "build"], "run": ["x"], "versions": {"x": ["x"]}}`)
	cmd := p.command("run", "-quick")
	cmd.Env = append(cmd.Env, "PATH="+pathWithout(t, "cargo"))
	p.finish(cmd).expect(t, 3, "setup: cargo: not found, but crab is built with it; install Rust: https://rustup.rs")
}

// Without pidstat its figures are unknown. All others, and so the verdicts, are as with it.
func TestMissingPidstatCostsItsFiguresOnly(t *testing.T) {
	p := newProject(t)
	p.wrong("right")
	cmd := p.command("run", "-quick", "-rounds", "1", "-scenario", "baseline", "-o", "out")
	cmd.Env = append(cmd.Env, "PATH="+pathWithout(t, "pidstat", "apt-get", "pacman", "dnf"))
	p.finish(cmd).expect(t, 0, "setup: pidstat: not found", "install the package sysstat", "verdicts do not need it")
	records := testfile.Read(p, filepath.Join(p.root, "out", recordsFile), record.Read)
	known := map[string]bool{"samples": false, "server_rss_mean_bytes": false, "sampler_cpu_mean_pct": false, "server_rss_peak_bytes": true, "server_cpu_us_per_stream": true}
	for _, r := range records {
		if strings.Contains(strings.Join(r.Why, " "), "pidstat") || r.Tools["sysstat"] != "" {
			t.Errorf("%s: %q, sysstat %q", r.Target(), r.Why, r.Tools["sysstat"])
		}
		for metric, want := range known {
			if _, is := r.Metrics.Get(metric); is != want && r.Server.Name != raw.Direct {
				t.Errorf("%s: %s is known: %v; want %v", r.Target(), metric, is, want)
			}
		}
	}
	if len(records) != 2 {
		t.Errorf("%d records, want 2", len(records))
	}
}

func TestMissingPidstatWithoutRights(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can become somebody without rights")
	}
	p := newProject(t)
	p.wrong("mute")
	// Without apt-get: writing to a link would write to this machine's own.
	path := pathWithout(t, "pidstat", "sudo", "apt-get")
	p.must(os.WriteFile(filepath.Join(path, "apt-get"), []byte("#!/bin/sh\nexit 100\n"), 0o755))
	for dir := p.root; dir != os.TempDir() && dir != "/"; dir = filepath.Dir(dir) {
		p.must(os.Chmod(dir, 0o755))
	}
	p.must(os.Chmod(path, 0o755))
	p.must(os.Chmod(filepath.Dir(path), 0o755))
	cmd := p.command("setup")
	cmd.Env = append(cmd.Env, "PATH="+path)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	p.finish(cmd).expect(t, 3, "setup: pidstat: not found, and no right to install it; run: sudo apt-get install")
}

func TestUnbuildableK6(t *testing.T) {
	p := newProject(t)
	p.wrong("mute")
	p.must(os.Remove(filepath.Join(p.root, "k6")))
	p.write("k6/go.mod", "module k6\n")
	p.write("k6/main.go", "package main\n\nfunc main() { missing() }\n")
	p.bench("run", "-quick").expect(t, 3, "setup: k6: go: exited with status 1", "undefined: missing")
}

// pathWithout is a directory with links to all programs on the path but some.
func pathWithout(t *testing.T, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, part := range filepath.SplitList(os.Getenv("PATH")) {
		entries, _ := os.ReadDir(part) // a missing file is fine
		for _, e := range entries {
			os.Symlink(filepath.Join(part, e.Name()), filepath.Join(dir, e.Name())) // the first on the path wins
		}
	}
	for _, name := range names {
		os.Remove(filepath.Join(dir, name)) // it need not be there
		if _, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			t.Fatalf("%s is still in %s", name, dir)
		}
	}
	return dir
}
