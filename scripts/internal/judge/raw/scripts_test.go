package raw

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// ofScript is what the output of k6 writes for one target.
func ofScript(target, first, second string) string {
	return strings.NewReplacer("TARGET", target, "FIRST", first, "SECOND", second).Replace(`{
		"slices": {"planned": 2, "given_up": {}, "slices": [
			{"slice": FIRST, "level": "warm-up", "targets": ["TARGET"], "vus": 5, "started_unix_ms": 1000, "planned_ms": 3000, "took_ms": 3100,
				"busy_ms": {"TARGET": 2000}, "cpu_ms": {"k6": 50, "TARGET": 200}, "peak_rss_bytes": {"TARGET": 1000}, "lost": [],
				"unsent": {"TARGET": 0}, "k6_wait_ms": 1, "machine_busy_ms": 900, "machine_steal_ms": 0},
			{"slice": SECOND, "level": "script", "targets": ["TARGET"], "vus": 5, "started_unix_ms": 4100, "planned_ms": 17000, "took_ms": 17000,
				"busy_ms": {"TARGET": 12000}, "cpu_ms": {"k6": 500, "TARGET": 2000}, "peak_rss_bytes": {"TARGET": 2000}, "lost": [],
				"unsent": {"TARGET": 3}, "k6_wait_ms": 1, "machine_busy_ms": 6000, "machine_steal_ms": 0}]},
		"iterations": {"layout": "log-linear-512",
			"series": [{"target": "TARGET", "level": "script", "slice": "SECOND", "started": 2, "ok": 2, "failed": {}, "body_bytes": 0,
				"request_us": {"count": 2, "sum_us": 30, "min_us": 10, "max_us": 20, "buckets": {"10": 1, "20": 1}},
				"ttfb_us": {"count": 0, "sum_us": 0, "min_us": null, "max_us": null, "buckets": {}},
				"late_us": {"count": 0, "sum_us": 0, "min_us": null, "max_us": null, "buckets": {}},
				"connect_us": {"count": 0, "sum_us": 0, "min_us": null, "max_us": null, "buckets": {}},
				"ttft_us": {"count": 0, "sum_us": 0, "min_us": null, "max_us": null, "buckets": {}},
				"itl_us": {"count": 0, "sum_us": 0, "min_us": null, "max_us": null, "buckets": {}}}],
			"named": [
				{"target": "TARGET", "level": "script", "name": "GET /a", "started": 2, "ok": 2, "failed": {}, "request_us": {"count": 2, "sum_us": 4000, "min_us": 2000, "max_us": 2000, "buckets": {"1012": 2}}},
				{"target": "TARGET", "level": "script", "name": "GET /b", "started": 2, "ok": 1, "failed": {"status 500": 1}, "request_us": {"count": 1, "sum_us": 900, "min_us": 900, "max_us": 900, "buckets": {"900": 1}}}]},
		"scripts": {"TARGET": {"iterations": 3, "hosts": {"127.0.0.1:1": 4}, "checks": [{"name": "is 200", "passed": 3, "failed": 1}], "thresholds": []}}}`)
}

func TestTheFilesOfScriptsBecomeOne(t *testing.T) {
	dir := t.TempDir()
	var files []string
	for name, text := range map[string]string{"one": ofScript("shop@base", "0", "1"), "two": ofScript("shop@head", "2", "3")} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	joined := filepath.Join(dir, "k6.json")
	if err := JoinScripts(joined, files...); err != nil {
		t.Fatal(err)
	}
	s, err := ReadSummary(joined)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Slices) != 4 || s.Planned != 4 || len(s.Scripts) != 2 || s.Unit != "iteration" {
		t.Errorf("%d of %d slices, %d scripts of %ss", len(s.Slices), s.Planned, len(s.Scripts), s.Unit)
	}
	for _, target := range []string{"shop@base", "shop@head"} {
		l, ok := s.Load(target, "script")
		other := "shop@head"
		if target == other {
			other = "shop@base"
		}
		if !ok || l.Requests != 2 || l.Seconds != 17 || *l.Unsent != 3 || l.CPUSeconds["k6"] != 0.5 || l.CPUSeconds["k6 of "+other] != 0.5 || l.CPUSeconds[target] != 2 {
			t.Errorf("%s: %+v", target, l)
		}
		if len(l.Named) != 2 || l.Named[1].Failed != 1 || l.AllNamed == nil || l.AllNamed.Max != 2 {
			t.Errorf("%s: requests %+v, all %+v", target, l.Named, l.AllNamed)
		}
	}
	if err := os.WriteFile(files[0], []byte(`{"slices": {"planned": 0, "slices": [], "given_up": {}}, "requests": {"layout": "log-linear-512", "series": []}}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := JoinScripts(joined, files...); err == nil || !strings.Contains(err.Error(), "want iterations") {
		t.Errorf("%v", err)
	}
}
