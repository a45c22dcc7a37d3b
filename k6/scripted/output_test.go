package scripted

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sirupsen/logrus"
	"go.k6.io/k6/metrics"
	"go.k6.io/k6/output"

	"fairstream/k6/shared/hist"
)

// samples makes samples of k6 as its modules do.
type samples struct {
	*metrics.Registry
	*metrics.BuiltinMetrics
}

func newSamples() samples {
	r := metrics.NewRegistry()
	return samples{r, metrics.RegisterBuiltinMetrics(r)}
}

func (s samples) one(m *metrics.Metric, value float64, tags ...string) metrics.Sample {
	set := s.RootTagSet()
	for i := 0; i < len(tags); i += 2 {
		set = set.With(tags[i], tags[i+1])
	}
	return metrics.Sample{TimeSeries: metrics.TimeSeries{Metric: m, Tags: set}, Time: time.Now(), Value: value}
}

// request is the container of a request of k6/http.
func (s samples) request(ms, failed float64, tags ...string) metrics.SampleContainer {
	return metrics.Samples{s.one(s.HTTPReqs, 1, tags...), s.one(s.HTTPReqDuration, ms, tags...), s.one(s.HTTPReqFailed, failed, tags...)}
}

func TestRequestsAreCountedByName(t *testing.T) {
	s, base := newSamples(), "http://127.0.0.1:4000"
	c := newCounts(base)
	_, iterations := c.add([]metrics.SampleContainer{
		s.request(2, 0, "name", base+"/search?q=a", "url", base+"/search?q=a", "method", "GET", "status", "200"),
		s.request(4, 0, "name", base+"/search?q=b", "url", base+"/search?q=b", "method", "GET", "status", "200"),
		s.request(9, 1, "name", base+"/search?q=c", "url", base+"/search?q=c", "method", "GET", "status", "500"),
		s.request(3, 0, "name", "login", "url", "login", "method", "POST", "status", "200"),
		s.request(3, 0, "name", base+"/setup", "url", base+"/setup", "method", "GET", "status", "200", "group", "::setup"),
		s.request(3, 0, "name", base+"/cart", "url", base+"/cart", "method", "GET", "status", "200", "group", "::setup cart"),
		metrics.Samples{s.one(s.GRPCReqDuration, 1, "name", "pkg.S/M", "url", "127.0.0.1:5000/pkg.S/M", "status", "5")},
		metrics.Samples{s.one(s.Checks, 1, "check", "is 200"), s.one(s.Checks, 0, "check", "is 200")},
		metrics.Samples{s.one(s.DroppedIterations, 2)},
		metrics.Samples{s.one(s.IterationDuration, 50)},
	})
	var got []string
	for _, n := range c.named("a") {
		failed := ""
		for kind, of := range n.Failed {
			failed += " " + kind + ":" + string(rune('0'+of))
		}
		got = append(got, n.Name+failed)
		if n.OK != int64(n.Request.Count) || n.Started < n.OK {
			t.Errorf("%+v", n)
		}
	}
	if want := "GET /cart, GET /search status 500:1, POST login, pkg.S/M status 5:1"; strings.Join(got, ", ") != want {
		t.Errorf("%s; want %s", strings.Join(got, ", "), want)
	}
	if series := c.series("a", "1"); !iterations || series.OK != 1 || series.Request.MaxUS != 50_000 || c.dropped != 2 || c.busy != 50*time.Millisecond {
		t.Errorf("%+v, dropped %d, busy %v", series, c.dropped, c.busy)
	}
	if checks := c.allChecks(); len(checks) != 1 || checks[0] != (hist.Check{Name: "is 200", Passed: 1, Failed: 1}) {
		t.Errorf("%+v", checks)
	}
	if h := c.script.Hosts; h["127.0.0.1:4000"] != 4 || h["127.0.0.1:5000"] != 1 || h[hist.UnknownHost] != 1 || len(h) != 3 {
		t.Errorf("%v", h)
	}
	c.loadBegins()
	if c.named("a") != nil || len(c.allChecks()) != 1 {
		t.Error("the times of the warm-up count, or its checks do not")
	}
}

func TestManyNamesAreLimited(t *testing.T) {
	s := newSamples()
	c := newCounts("http://127.0.0.1:4000")
	for i := range 3 * mostNames {
		path := "http://127.0.0.1:4000/" + strings.Repeat("x", i+1)
		c.add([]metrics.SampleContainer{s.request(1, 0, "name", path, "url", path, "method", "GET", "status", "200")})
	}
	all := c.named("a")
	if n := all[len(all)-1]; len(all) != mostNames+1 || n.Name != "other requests" || n.OK != 2*mostNames {
		t.Errorf("%d names, the last %+v", len(all), n)
	}
}

// A script that ends within the warm-up has no load, and the file says so.
func TestAShortScriptIsGivenUp(t *testing.T) {
	dir := t.TempDir()
	j := job{Target: "a@head", BaseURL: "http://127.0.0.1:4000", Summary: filepath.Join(dir, "k6.json"), Watched: map[string][]int{"a@head": {os.Getpid()}}, FirstSlice: 2}
	text, err := json.Marshal(j)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "job.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	logger := logrus.New()
	logger.SetOutput(io.Discard)
	o, err := newOutput(output.Params{ConfigArgument: file, Logger: logger})
	if err != nil {
		t.Fatal(err)
	}
	p90, crossed := metrics.NewThresholds([]string{"p(90)<1"}), metrics.NewThresholds([]string{"rate<0.1"})
	crossed.Thresholds[0].LastFailed = true
	o.SetThresholds(map[string]metrics.Thresholds{"http_req_duration": p90, "http_req_failed": crossed})
	if err := o.Start(); err != nil {
		t.Fatal(err)
	}
	logger.WithField("source", "stacktrace").Error("TypeError")
	logger.WithField("source", "console").Error("said by the script")
	s := newSamples()
	o.AddMetricSamples([]metrics.SampleContainer{metrics.Samples{s.one(s.IterationDuration, 5)}})
	if err := o.Stop(); err != nil {
		t.Fatal(err)
	}
	var r report
	data, err := os.ReadFile(j.Summary)
	if err == nil {
		err = json.Unmarshal(data, &r)
	}
	if err != nil {
		t.Fatal(err)
	}
	script := r.Scripts["a@head"]
	if len(r.Slices.Slices) != 1 || r.Slices.Slices[0].Slice != 2 || !strings.Contains(r.Slices.GivenUp["a@head"], "at least 5s of load") || script.Iterations != 1 {
		t.Errorf("%s", data)
	}
	if want := (hist.Check{Name: noException, Failed: 1}); len(script.Checks) != 1 || script.Checks[0] != want {
		t.Errorf("%+v; want %+v", script.Checks, want)
	}
	if want := []hist.Threshold{{Metric: "http_req_duration", Text: "p(90)<1"}, {Metric: "http_req_failed", Text: "rate<0.1", Crossed: true}}; len(script.Thresholds) != 2 || script.Thresholds[0] != want[0] || script.Thresholds[1] != want[1] {
		t.Errorf("%+v", script.Thresholds)
	}
}

func TestAWrongJobIsRefused(t *testing.T) {
	if _, err := newOutput(output.Params{ConfigArgument: "none"}); err == nil || !strings.Contains(err.Error(), "want --out fairstream=FILE") {
		t.Errorf("%v", err)
	}
}
