package revision

import "testing"

// A version counts the commits that changed the server. A merge counts once, and what it merged has
// no version.
func TestVersions(t *testing.T) {
	r := newRepo(t)
	r.server("a", "1")
	r.server("b", "1")
	first := r.commit()
	r.write("README.md", "text")
	text := r.commit()
	r.git("checkout", "-q", "-b", "topic")
	r.server("a", "2")
	topic := r.commit()
	r.server("a", "3")
	r.commit()
	r.git("checkout", "-q", "main")
	r.server("b", "2")
	both := r.commit()
	r.git("merge", "-q", "--no-ff", "-m", "merge", "topic")
	merge := r.git("rev-parse", "HEAD")
	r.write("servers/relay/a/a \"strange\" näme", "4")
	last := r.commit()
	v, err := VersionsOf(t.Context(), r.dir, last)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		commit string
		a, b   int
	}{{first, 1, 1}, {text, 1, 1}, {both, 1, 2}, {merge, 2, 2}, {last, 3, 2}} {
		a, known := v.Of(c.commit, relay("a")[0])
		b, also := v.Of(c.commit, relay("b")[0])
		if a != c.a || b != c.b || !known || !also {
			t.Errorf("%.8s: versions %d and %d; want %d and %d", c.commit, a, b, c.a, c.b)
		}
	}
	for _, commit := range []string{topic, "unknown"} {
		if version, known := v.Of(commit, relay("a")[0]); known {
			t.Errorf("%.8s: version %d; want none", commit, version)
		}
	}
	if _, err := VersionsOf(t.Context(), r.dir, "nothing"); err == nil {
		t.Error("an unknown commit has versions")
	}
}
