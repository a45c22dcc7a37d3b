package server

import (
	"path/filepath"
	"strings"
	"testing"

	"fairstream/scripts/internal/testfile"
	"fairstream/scripts/internal/workload"
)

// tree writes files into a new directory, each given by its path.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for path, content := range files {
		testfile.Write(t, filepath.Join(root, path), content)
	}
	return root
}

func names(servers []Server) string {
	var all []string
	for _, s := range servers {
		all = append(all, s.Name)
	}
	return strings.Join(all, " ")
}

func TestEveryDirectoryIsAServerAndTheyAreOrderedByName(t *testing.T) {
	root := tree(t, map[string]string{"relay/rust-axum/server.json": good, "relay/bun/server.json": good, "relay/go-gin/server.json": good, "relay/go/server.json": good})
	all, err := All(root)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := names(all), "bun go go-gin rust-axum"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if want := filepath.Join(root, "relay/bun"); all[0].Dir != want {
		t.Errorf("directory %s, want %s", all[0].Dir, want)
	}
}

func TestFilesAndHiddenDirectoriesArePassedOver(t *testing.T) {
	root := tree(t, map[string]string{
		"relay/gin/server.json": good, "README.md": "", "server.json": good, "relay/README.md": "", "relay/server.json": good,
		"relay/.cache/server.json": good, "relay/.idea/workspace.xml": "", "relay/.hidden": "", ".idea/x/server.json": good,
	})
	all, err := All(root)
	if err != nil {
		t.Fatal(err)
	}
	if got := names(all); got != "gin" {
		t.Errorf("got %s, want gin alone", got)
	}
}

func TestADirectoryAmongTheServersThatHasNoManifestIsAnError(t *testing.T) {
	root := tree(t, map[string]string{"relay/gin/server.json": good, "relay/axum/sever.json": good})
	all, err := All(root)
	want := filepath.Join(root, "relay/axum", File) + ": no such file; a server is a directory with a server.json; `scripts/bench init " + filepath.Join(root, "relay/axum") + "` writes one"
	if err == nil || err.Error() != want || all != nil {
		t.Errorf("got  %v, %v\nwant %s", names(all), err, want)
	}
}

func TestOneBadManifestIsAnErrorForAllServers(t *testing.T) {
	root := tree(t, map[string]string{"relay/gin/server.json": good, "relay/axum/server.json": "{"})
	if all, err := All(root); err == nil || !strings.Contains(err.Error(), filepath.Join(root, "relay/axum", File)) || all != nil {
		t.Errorf("got %v, %v; want an error that names axum's manifest", names(all), err)
	}
	if _, err := All(filepath.Join(root, "elsewhere")); err == nil {
		t.Error("a directory that is not there: no error")
	}
}

// A server that lies in one workload and names another is in the wrong place, or says the wrong thing.
func TestTheWorkloadIsTheDirectorysAndAKnownOne(t *testing.T) {
	root := tree(t, map[string]string{"relais/gin/server.json": good})
	want := filepath.Join(root, "relais") + ": no such workload; a server is servers/WORKLOAD/NAME, and workloads are " + strings.Join(workload.Names(), ", ")
	if all, err := All(root); err == nil || err.Error() != want || all != nil {
		t.Errorf("got  %v, %v\nwant %s", names(all), err, want)
	}
	want = filepath.Join(root, "relais/gin", File) + `: "workload" is "relay"; want "relais", the directory's`
	if s, err := LoadIn(root, "relais", "gin"); err == nil || err.Error() != want || s.Name != "" {
		t.Errorf("got  %+v, %v\nwant %s", s, err, want)
	}
}

func TestServersAreSelectedOnceInTheirOwnOrder(t *testing.T) {
	all := []Server{{Workload: "relay", Name: "axum"}, {Workload: "relay", Name: "bun"}, {Workload: "relay", Name: "gin"}, {Workload: "web", Name: "other"}}
	for _, c := range []struct{ names, want string }{
		{"", "axum bun gin"},
		{"gin", "gin"},
		{"gin axum", "axum gin"},
		{"relay/gin axum gin", "axum gin"},
		{"bun bun", "bun"},
		{"gin bun axum bun", "axum bun gin"},
		{"relay", "axum bun gin"},
	} {
		got, err := Select(all, strings.Fields(c.names))
		if err != nil || names(got) != c.want {
			t.Errorf("%q: got %q, %v; want %q", c.names, names(got), err, c.want)
		}
	}
	if want := "axum bun gin other"; names(all) != want {
		t.Errorf("selecting changed the servers to %q", names(all))
	}
}

func TestAnUnknownServerIsAnErrorThatListsTheKnownOnes(t *testing.T) {
	all := []Server{{Workload: "relay", Name: "axum"}, {Workload: "relay", Name: "gin"}}
	got, err := Select(all, []string{"gin", "gim"})
	if want := `server "gim": unknown; known are relay/axum, relay/gin; a directory elsewhere is named with a slash: ./gim`; err == nil || err.Error() != want || got != nil {
		t.Errorf("got %v, %v; want %s", names(got), err, want)
	}
}
