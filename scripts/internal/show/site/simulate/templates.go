package simulate

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/workload"
)

// A template is a real run of the servers of a workload.
type template struct {
	names     []string                             // of its servers
	scenarios []string                             // of its records, in order
	records   map[string]map[string]record.Metrics // of the first round, by target and scenario
	details   []byte
}

// templates are the results in servers/ with the details in testdata/, by workload.
var templates = sync.OnceValues(func() (map[string]template, error) {
	_, file, _, _ := runtime.Caller(0) // ok is false without a source, and the files are missing then too
	own := filepath.Dir(file)
	of := map[string]template{}
	for _, w := range []string{workload.Names()[0], Second.Name} {
		records, err := cli.ReadFile(filepath.Join(own, "../../../../../servers", w, "results.jsonl"), record.Read)
		if err != nil {
			return nil, err
		}
		details, err := os.ReadFile(filepath.Join(own, "testdata", w+".details.json"))
		if err != nil {
			return nil, err
		}
		t := template{records: map[string]map[string]record.Metrics{}, details: details}
		for _, r := range records {
			if r.Round > 1 || r.Server.Name != raw.Direct && !bytes.Contains(details, fmt.Appendf(nil, "%q", r.Server.Name)) {
				continue // the simulated history leaves out a server without details
			}
			if !slices.Contains(t.scenarios, r.Scenario) {
				t.scenarios = append(t.scenarios, r.Scenario)
			}
			if t.records[r.Server.Name] == nil {
				t.records[r.Server.Name] = map[string]record.Metrics{}
				if r.Server.Name != raw.Direct {
					t.names = append(t.names, r.Server.Name)
				}
			}
			t.records[r.Server.Name][r.Scenario] = r.Metrics
		}
		first := of[workload.Names()[0]]
		place := func(name string) int { // first those that stand for two servers, of two workloads
			if first.records[name] != nil {
				return 0
			}
			return 1
		}
		slices.SortFunc(t.names, func(a, b string) int { return cmp.Or(place(a)-place(b), strings.Compare(a, b)) })
		of[w] = t
	}
	return of, nil
})

// metrics are those of a server in a scenario. One that the template does not have gets those of another.
func (t template) metrics(server string, i int, scenario string) record.Metrics {
	server = strings.TrimPrefix(server, old)
	if t.records[server] == nil {
		server = t.names[i%len(t.names)]
	}
	return t.records[server][scenario]
}

// detailsOf are the details of all its servers. One that is not renamed yet has its old name there.
func (t template) detailsOf(servers []raw.Server) []byte {
	text := t.details
	for _, s := range servers {
		if name, renamed := strings.CutPrefix(s.Name, old); renamed {
			text = bytes.ReplaceAll(text, fmt.Appendf(nil, "%q", name), fmt.Appendf(nil, "%q", s.Name))
		}
	}
	return text
}
