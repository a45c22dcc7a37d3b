package scripted

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"go.k6.io/k6/metrics"

	"fairstream/k6/shared/hist"
)

const (
	// mostNames limits the names of requests. A script whose paths have numbers has one for each.
	mostNames = 200
	mostHosts = 20
	mostTexts = 200 // checks
)

// counts are what the samples of k6 say. Times and names are of the load, and the script is of the whole run.
type counts struct {
	baseURL    string
	script     hist.Script
	checks     map[string]*hist.Check
	iterations *hist.Histogram
	requests   map[string]*requests
	busy       time.Duration // of all iterations
	dropped    int64         // iterations that k6 could not begin in time
}

// requests are those of one name.
type requests struct {
	times  hist.Sparse
	failed map[string]int64 // by kind
	ok     int64
}

func newCounts(baseURL string) counts {
	c := counts{baseURL: strings.TrimSuffix(baseURL, "/"), checks: map[string]*hist.Check{}, script: hist.Script{Hosts: map[string]int64{}}}
	c.loadBegins()
	return c
}

// loadBegins forgets the times of the warm-up.
func (c *counts) loadBegins() {
	c.iterations, c.requests, c.busy, c.dropped = new(hist.Histogram), map[string]*requests{}, 0, 0
}

// add counts samples. It reports whether there were any, and whether an iteration ended. Samples of setup() and teardown()
// do not count.
func (c *counts) add(all []metrics.SampleContainer) (some, iterations bool) {
	for _, container := range all {
		samples := container.GetSamples()
		if len(samples) == 0 || outside(samples[0].Tags) {
			continue
		}
		var duration, failed *metrics.Sample // of one request
		for i := range samples {
			s := &samples[i]
			switch s.Metric.Name {
			case metrics.IterationDurationName:
				some, iterations = true, true
				c.script.Iterations++
				c.iterations.Add(int64(s.Value * 1000))
				c.busy += time.Duration(s.Value * float64(time.Millisecond))
			case metrics.DroppedIterationsName:
				c.dropped += int64(s.Value)
			case metrics.ChecksName:
				c.check(s)
			case metrics.WSSessionsName:
				some = true
				c.asked(s)
			case metrics.HTTPReqDurationName, metrics.GRPCReqDurationName:
				duration = s
			case metrics.HTTPReqFailedName:
				failed = s
			}
		}
		if duration != nil {
			some = true
			c.asked(duration)
			c.request(duration, failed)
		}
	}
	return some, iterations
}

// outside reports whether a sample is of setup() or teardown().
func outside(tags *metrics.TagSet) bool {
	group := tag(tags, metrics.TagGroup) + "::"
	return strings.HasPrefix(group, "::setup::") || strings.HasPrefix(group, "::teardown::")
}

func tag(tags *metrics.TagSet, name metrics.SystemTag) string {
	text, _ := tags.Get(name.String())
	return text
}

func (c *counts) check(s *metrics.Sample) {
	name := tag(s.Tags, metrics.TagCheck)
	of := c.checks[name]
	if of == nil {
		if len(c.checks) == mostTexts {
			return
		}
		of = &hist.Check{Name: name}
		c.checks[name] = of
	}
	if s.Value == 0 {
		of.Failed++
	} else {
		of.Passed++
	}
}

// asked notes the host of a request or a session. Where a script gives a request of HTTP a name, k6 has it in place of the URL,
// and the host is unknown.
func (c *counts) asked(s *metrics.Sample) {
	url := tag(s.Tags, metrics.TagURL)
	_, rest, ok := strings.Cut(url, "://")
	switch {
	case ok:
		url = rest
	case s.Metric.Name != metrics.GRPCReqDurationName:
		url = ""
	}
	host, _, _ := strings.Cut(url, "/")
	if host == "" || strings.Contains(host, "$") { // a part of the name of http.url
		host = hist.UnknownHost
	}
	if _, known := c.script.Hosts[host]; known || len(c.script.Hosts) < mostHosts {
		c.script.Hosts[host]++
	}
}

// request counts a request by its name. A request of gRPC has no sample of its failure, and a status of its own.
func (c *counts) request(s, failed *metrics.Sample) {
	name := c.name(s.Tags)
	of := c.requests[name]
	if of == nil {
		if len(c.requests) >= mostNames {
			name = "other requests"
		}
		if of = c.requests[name]; of == nil {
			of = &requests{failed: map[string]int64{}}
			c.requests[name] = of
		}
	}
	status := tag(s.Tags, metrics.TagStatus)
	grpc := s.Metric.Name == metrics.GRPCReqDurationName
	if failed != nil && failed.Value != 0 || grpc && status != "0" {
		of.failed["status "+cmp.Or(status, "0")]++
		return
	}
	of.ok++
	of.times.Add(int64(s.Value * 1000))
}

// name is that of the script, or the path. Base and head then have the same names.
func (c *counts) name(tags *metrics.TagSet) string {
	name, url := tag(tags, metrics.TagName), tag(tags, metrics.TagURL)
	if name == url {
		name, _, _ = strings.Cut(name, "?")
	}
	if path, ok := strings.CutPrefix(name, c.baseURL); ok {
		name = "/" + strings.TrimPrefix(path, "/")
	}
	if method := tag(tags, metrics.TagMethod); method != "" {
		name = method + " " + name
	}
	return cmp.Or(name, "requests")
}

// series are the iterations of the load.
func (c *counts) series(target, slice string) hist.RequestSeries {
	times := c.iterations.Snapshot()
	n := int64(times.Count)
	return hist.RequestSeries{Target: target, Level: level, Slice: slice, Started: n, OK: n, Failed: map[string]int64{}, Request: times}
}

// named are the requests of the load by name.
func (c *counts) named(target string) (all []hist.NamedSeries) {
	for _, name := range sorted(c.requests) {
		of := c.requests[name]
		s := hist.NamedSeries{Target: target, Level: level, Name: name, Started: of.ok, OK: of.ok, Failed: of.failed, Request: of.times.Snapshot()}
		for _, n := range of.failed {
			s.Started += n
		}
		all = append(all, s)
	}
	return all
}

func (c *counts) allChecks() []hist.Check {
	all := []hist.Check{}
	for _, name := range sorted(c.checks) {
		all = append(all, *c.checks[name])
	}
	return all
}

func sorted[V any](of map[string]V) []string { return slices.Sorted(maps.Keys(of)) }
