package record

import (
	"cmp"
	"fmt"
	"slices"

	"fairstream/scripts/internal/files"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/workload"
)

// A Request has figures of the requests of one name, such as "GET /search". CPU time and memory have no such parts.
type Request struct {
	Name     string   `json:"name"`
	Requests int64    `json:"requests"` // complete
	Failed   int64    `json:"failed"`
	P50      *float64 `json:"p50_ms"` // null: no request was complete, or the record is invalid
	P95      *float64 `json:"p95_ms"`
	SharePct float64  `json:"share_pct"` // of the time of all complete requests
}

// MostRequests is how many names a record has at most. 64 of them keep the records of a comparison below 1 MB.
// A server with more has those that took most of the time.
const MostRequests = 64

// mostName limits a name in characters, since it may be a path.
const mostName = 100

// named are the requests with names of a server, in the order of their names.
func (m measured) named(status Status) (all []Request) {
	if !m.server() || !m.workload.Mixes {
		return nil
	}
	longest := slices.SortedStableFunc(slices.Values(m.load.Named), func(a, b raw.Named) int {
		return cmp.Or(cmp.Compare(min(1, b.Failed), min(1, a.Failed)), cmp.Compare(b.SharePct, a.SharePct)) // one that failed is never left out
	})
	for _, n := range longest {
		r := Request{Name: requestName(n.Name), Requests: n.Requests, Failed: n.Failed}
		if slices.ContainsFunc(all, func(o Request) bool { return o.Name == r.Name }) || len(all) == MostRequests {
			continue // shortened, it equals another
		}
		if t := n.Request; t != nil && status != Invalid {
			r.P50, r.P95, r.SharePct = digits(t.P50), digits(t.P95), LimitDigits(n.SharePct, 7)
		}
		all = append(all, r)
	}
	slices.SortFunc(all, func(a, b Request) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

func requestName(name string) string {
	if runes := []rune(files.Harmless(name)); len(runes) > mostName {
		return string(runes[:mostName-3]) + "..."
	} else if len(runes) > 0 {
		return string(runes)
	}
	return "?"
}

// checkRequests refuses requests that no record has.
func (r Record) checkRequests() error {
	switch {
	case len(r.Requests) > 0 && !workload.Named(r.Workload).Mixes:
		return fmt.Errorf("requests: servers of %s have none apart", r.Workload)
	case len(r.Requests) > MostRequests:
		return fmt.Errorf("requests: %d names; want at most %d", len(r.Requests), MostRequests)
	}
	for i, q := range r.Requests {
		known := q.P50 != nil && q.P95 != nil
		switch {
		case q.Name == "" || len([]rune(q.Name)) > mostName:
			return fmt.Errorf("requests: name %.40q; want 1 to %d characters", q.Name, mostName)
		case i > 0 && r.Requests[i-1].Name >= q.Name:
			return fmt.Errorf("requests: %.40q is not after the name before it; want names in order, each once", q.Name)
		case q.Requests < 0 || q.Failed < 0 || !(q.SharePct >= 0 && q.SharePct <= 100):
			return fmt.Errorf("requests: %.40q: %d requests, %d failed, %g %% of the time; want 0 or more, and at most 100 %%",
				q.Name, q.Requests, q.Failed, q.SharePct)
		case !known && (q.P50 != nil || q.P95 != nil || q.SharePct != 0) || known && (q.Requests == 0 || r.Status == Invalid):
			return fmt.Errorf("requests: %.40q: p50_ms, p95_ms and share_pct are known exactly when requests were complete", q.Name)
		case known && !(*q.P50 >= 0 && *q.P95 >= *q.P50):
			return fmt.Errorf("requests: %.40q: p50_ms is %g, p95_ms %g; want them in order", q.Name, *q.P50, *q.P95)
		case known && (*q.P50 != 0 && *q.P50 < limits["ms"].least || *q.P95 > limits["ms"].most):
			return fmt.Errorf("requests: %.40q: p50_ms is %g, p95_ms %g; want 0, or %g to %g", q.Name, *q.P50, *q.P95, limits["ms"].least, limits["ms"].most)
		case float64(max(q.Requests, q.Failed)) > limits["requests"].most:
			return fmt.Errorf("requests: %.40q: %d requests, %d failed; want at most %g", q.Name, q.Requests, q.Failed, limits["requests"].most)
		}
	}
	return nil
}
