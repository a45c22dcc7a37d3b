package answer

import (
	"testing"

	"fairstream/scripts/internal/judge/verdict"
)

func TestWhatIsSpecialInALoadIsSaid(t *testing.T) {
	for want, a := range map[string]verdict.Answer{
		"": {Workload: "relay"},
		"The usual load is too much for this server, so base and head had slices of 2 s.":                     {Workload: "relay", Load: "slices of 2 s"},
		"Each figure covers all requests together, not one endpoint.":                                         {Workload: "http", Cells: []verdict.Cell{{}}},
		"Base and head had slices of 2 s. Each figure covers all requests together, not one endpoint.":        {Workload: "http", Load: "slices of 2 s", Cells: []verdict.Cell{{}}},
		"CPU time, memory and throughput cover all requests together; latency has a figure for each request.": {Workload: "http", Cells: []verdict.Cell{{}}, Requests: []verdict.RequestCell{{}}},
		"Base and head had 500 requests/s where load is paced. Margins of its server.json: CPU time 5 %. Base does not answer these requests as head's server.json wants, so neither side got them: add, GET /x.": {
			Workload: "http", Load: "500 requests/s where load is paced", Margins: map[string]float64{"cpu_pct": 5}, LeftOut: []string{"add", "GET /x"},
		},
	} {
		if got := LoadSentence(a); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}
