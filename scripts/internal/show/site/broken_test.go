package site_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/show/site"
)

// A file that cannot be read is named, and all the rest is as it would be without it.
func TestBrokenFiles(t *testing.T) {
	facts := simulated(t, 12, 2)
	var of string                                                                     // a run's trend runs
	fs.WalkDir(facts.Files, "runs", func(path string, d fs.DirEntry, _ error) error { // its function returns none
		if !d.IsDir() && !strings.HasSuffix(path, ".leaderboard.jsonl") {
			of = path
		}
		return nil
	})
	whole, err := fs.ReadFile(facts.Files, of)
	if err != nil {
		t.Fatal(err)
	}
	replace := func(old, new string) []byte {
		if !bytes.Contains(whole, []byte(old)) {
			t.Fatalf("no %s in a run", old)
		}
		return bytes.ReplaceAll(whole, []byte(old), []byte(new))
	}
	name := func(n string) string {
		return "runs/2031/0" + n + "/" + strings.Repeat(n, 40) + "-1-1.jsonl"
	}
	broken := map[string][]byte{
		name("1"): whole[:len(whole)-20],
		name("2"): replace(`"schema":7`, `"schema":99`),
		name("3"): {},
		name("4"): []byte("\x00\xff\xfe<script>\n"),
		name("5"): replace(`"baseline"`, `"../../../etc"`),
		name("6"): replace(`"bun-hono"`, `"../x"`),
		name("7"): replace(`"status":"ok"`, `"status":"fine"`),
		name("8"): replace(`"metrics":{`, `"metrics":{"none":1,`),
		strings.Replace(name("9"), ".jsonl", ".leaderboard.jsonl", 1): []byte("[]"),
		"runs/notes.txt": []byte("hello"),
		"runs/2031/01/" + strings.Repeat("a", 39) + "-1-1.jsonl":  whole,
		"events/2031/01/" + strings.Repeat("1", 40) + "-1-1.json": []byte(`[{"schema":3,"more":1}]`),
		"events/2031/02/" + strings.Repeat("1", 40) + "-1-1.json": []byte(`[{"schema":3,"workload":"relay","server":"a","base":"b","head":"c"}]`),
		"events/2031/02/<img src=x onerror=alert(1)>":             []byte(`[]`),
		"events/2031/03/" + strings.Repeat("1", 40) + "-1-1.json": []byte(`[{"schema":3}]`),
	}
	event := func(schema int, server string) []byte {
		return fmt.Appendf(nil, `[{"schema":%d,"workload":"relay","server":%q,"base":%q,"head":%q,"verdict":"regressed"}]`, schema, server, strings.Repeat("1", 40), strings.Repeat("2", 40))
	}
	broken["events/2031/04/"+strings.Repeat("1", 40)+"-1-1.json"] = event(verdict.EventSchema+1, "go-http")
	broken["events/2031/05/"+strings.Repeat("1", 40)+"-1-1.json"] = event(verdict.EventSchema, "../x")
	before, _ := build(t, facts)
	after, m := build(t, with(facts, broken))
	if got := changed(before, after); !slices.Equal(got, []string{"data/manifest.json"}) {
		t.Errorf("changed %q, want the manifest alone", got)
	}
	var named []string
	for _, b := range m.Broken {
		named = append(named, b.File)
		t.Logf("%s: %s", b.File, b.Why)
		if b.Why == "" || len(b.Why) > 400 {
			t.Errorf("%s: %d bytes of why", b.File, len(b.Why))
		}
	}
	if want := slices.Sorted(maps.Keys(broken)); !slices.Equal(named, want) {
		t.Errorf("broken %q, want %q", named, want)
	}
}

// A file of an older schema is whole: it says so even where its keys were others, and
// never hides one that is broken.
func TestOlderSchemas(t *testing.T) {
	facts := simulated(t, 2, 2)
	files := map[string][]byte{"runs/zzz": []byte("x")}
	for i := range 30 {
		files[fmt.Sprintf("runs/2023/01/%040x-1-1.jsonl", i)] = []byte(`{"schema":4,"verb":"GET","server":7}`)
		files[fmt.Sprintf("runs/2023/01/%040x-1-1.leaderboard.jsonl", i)] = []byte(`{"schema":4,"verb":"GET","server":7}`)
	}
	_, m := build(t, with(facts, files))
	if n := len(m.Broken); n != 21 || m.Broken[0].File != "runs/zzz" || m.Broken[20].Why != "and 41 more files" {
		t.Fatalf("%d are named: %+v", n, m.Broken)
	}
	for _, b := range m.Broken[1:20] {
		if !strings.HasPrefix(b.Why, "older schema 4; this tool reads schema 7: scripts/bench site in a checkout of") {
			t.Errorf("%s: %s", b.File, b.Why)
		}
	}
}

func TestNoHistory(t *testing.T) {
	for name, facts := range map[string]site.Facts{"none": {}, "empty": with(simulated(t, 0, 2), nil)} {
		s, m := build(t, facts)
		if m.Newest != nil || m.Commits.Count != 0 || s["latest.json"] != nil || len(m.Broken) > 0 {
			t.Errorf("%s: %+v", name, m)
		}
		if bytes.Contains(bytes.ReplaceAll(s["data/manifest.json"], []byte(`:null`), nil), []byte("null")) {
			t.Errorf("%s: a list is null: %s", name, s["data/manifest.json"])
		}
	}
}
