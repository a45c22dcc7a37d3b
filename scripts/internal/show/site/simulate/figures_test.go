package simulate

import (
	"math/rand/v2"
	"testing"

	"fairstream/scripts/internal/judge/record"
)

// Simulated figures could be real ones, whatever the noise.
func TestFiguresArePossible(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	s := &simulation{random: random}
	for scenario := range shapes {
		for server := -1; server < 12; server++ {
			for range 200 {
				w := sway{s.noise(scatter), s.noise(2 * scatter), s.noise(scatter), s.noise(scatter), s.noise(scatter)}
				f, direct := figures(scenario, server, w), figures(scenario, -1, w)
				for _, order := range [][]string{
					{"stream_p50_ms", "stream_mean_ms", "stream_p95_ms", "stream_p99_ms", "stream_max_ms"}, {"ttft_p50_ms", "ttft_p95_ms", "stream_p50_ms"},
					{"itl_p50_ms", "itl_p99_ms"}, {"token_delay_p50_ms", "token_delay_p99_ms"}, {"server_rss_mean_bytes", "server_rss_peak_bytes"},
				} {
					for i := range order[1:] {
						if f[order[i]] > f[order[i+1]] {
							t.Fatalf("%s, server %d: %s %v is above %s %v", scenario, server, order[i], f[order[i]], order[i+1], f[order[i+1]])
						}
					}
				}
				if f["rate_x_direct"] > 1 || f["rate_per_s"] > direct["rate_per_s"] || f["ttft_p95_ms"] < direct["ttft_p95_ms"] {
					t.Fatalf("%s: server %d is quicker than direct: %v", scenario, server, f)
				}
			}
		}
	}
}

// A metric that no figure is simulated of would be missing from every page.
func TestFiguresAreOfTheTable(t *testing.T) {
	all := figures("stress-100", 0, sway{1, 1, 1, 1, 1})
	for _, m := range record.Table("relay") {
		if _, ok := all[m.Name]; !ok && m.Name != "failed_pct" && m.Unit != "bytes/stream" {
			t.Errorf("no figure of %s", m.Name)
		}
		delete(all, m.Name)
	}
	for name := range all {
		t.Errorf("%s is no metric", name)
	}
}
