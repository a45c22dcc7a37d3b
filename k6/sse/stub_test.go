package sse

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"fairstream/k6/common/hist"
	"fairstream/k6/rig"
)

// build compiles a module of the project into a temporary directory.
func build(t *testing.T, module string) string {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "program")
	if err := rig.Build(module, bin); err != nil {
		t.Fatal(err)
	}
	return bin
}

// startStub returns the URL of a running stub.
func startStub(t *testing.T) string {
	t.Helper()
	stub, base, err := rig.Stub(build(t, "../../stub"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rig.End(stub) })
	return base + "/chat/completions"
}

// The stub paces by deadlines from the request on, and a timer is never early.
// So the time of a stream is known from below; from above only that this
// machine is not a hundred times too slow.
func TestTimesAgreeWithTheStub(t *testing.T) {
	url := startStub(t)
	v := testVU(t)
	ask := func(message string) answer {
		text, err := v.rt.RunString(fmt.Sprintf(`JSON.stringify(sse.post(%q, JSON.stringify(
			{messages: [{role: "user", content: %q}], stream: true}), {timeout_ms: 60000, target: %q}))`, url, message, message))
		if err != nil {
			t.Fatal(err)
		}
		var a answer
		if err := json.Unmarshal([]byte(text.String()), &a); err != nil {
			t.Fatal(err)
		}
		return a
	}
	a := ask("hello @tokens=10 @itl=20ms @ttft=50ms")
	if !a.OK || a.Tokens != 10 || a.Events != 12 {
		t.Fatalf("%+v", a)
	}
	for name, x := range map[string]struct{ got, least, most float64 }{
		"ttft_ms":             {*a.TTFT, 50, 50_000},
		"ttfe_ms":             {*a.TTFE, 0, 50_000},
		"itl_max_ms":          {*a.ITLMax, *a.ITLMean, 50_000},
		"token_delay_mean_ms": {*a.TokenDelayMean, 0, 25_000},
		"token_delay_max_ms":  {*a.TokenDelayMax, *a.TokenDelayMean, 50_000},
		"duration_ms":         {*a.Duration, 50 + 10*20, 200_000},
		// All reads together are from the first token to the last, both late or neither.
		"from first to last": {*a.TTFT + 9**a.ITLMean, 50 + 9*20, 200_000},
	} {
		if x.got < x.least || x.got > x.most {
			t.Errorf("%s is %v; want %v to %v", name, x.got, x.least, x.most)
		}
	}
	for _, good := range []string{
		"@tokens=0", "@tokens=1", "@tokens=300 @itl=0s", "@lines=crlf", "@lines=cr", "@comments=1", "@trailers=1", "@close=1", "@write=1",
		"@packet=2.5", "@packet=3 @text=utf8 @size=40", "@text=tricky @size=300 @write=7", "@size=300000 @tokens=3",
	} {
		if a := ask("hello @itl=1ms " + good); !a.OK {
			t.Errorf("%s: %+v", good, a)
		}
	}
	for bad, kind := range map[string]string{
		"@cut=5": cut, "@end=5": notDone, "@error=5": failedEvent, "@status=500": badStatus, "@json=1": badType, "@refuse=1": cut,
	} {
		if a := ask("hello @itl=1ms " + bad); a.OK || a.Kind != kind {
			t.Errorf("%s: %q: %s; want %q", bad, a.Kind, a.Error, kind)
		}
	}
}

// The example in a real k6: thresholds, checks, k6's own counters, and
// histograms that another process can read.
func TestTheExampleRunsInK6(t *testing.T) {
	data := runExample(t, "example.js", "STREAMS=4")
	var got struct {
		Summary    map[string]struct{ Values map[string]float64 }
		Histograms hist.Report
	}
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	var streams, itls hist.Counts
	for _, s := range got.Histograms.Series {
		if s.Target != "example" || s.Slice != "load" || s.Started != s.OK {
			t.Errorf("%+v", s)
		}
		streams.Merge(s.Stream)
		itls.Merge(s.Itl)
	}
	if streams.Count != 20 || itls.Count != 20*19 || streams.MinUS < 40_000 {
		t.Errorf("%d streams from %d us on, %d itls", streams.Count, streams.MinUS, itls.Count)
	}
	for name, want := range map[string]struct {
		stat string
		v    float64
	}{"http_reqs": {"count", 20}, "http_req_failed": {"rate", 0}, "checks": {"rate", 1}, "iterations": {"count", 20}} {
		if v := got.Summary[name].Values[want.stat]; v != want.v {
			t.Errorf("%s: %s is %v; want %v", name, want.stat, v, want.v)
		}
	}
	if v := got.Summary["data_received"].Values["count"]; v < 20*20*200 {
		t.Errorf("%v bytes received in 400 tokens", v)
	}
	mean := streams.MeanUS() / 1000
	if v := got.Summary["http_req_duration"].Values["avg"]; v < mean-0.01 || v > mean+0.01 {
		t.Errorf("http_req_duration is %v ms on average, stream_us %v", v, mean)
	}
}

// runExample runs a script of this directory in a real k6 against the real
// stub and returns the summary that it wrote.
func runExample(t *testing.T, script, variable string) []byte {
	t.Helper()
	if testing.Short() {
		t.Skip("links k6")
	}
	summary := filepath.Join(t.TempDir(), "summary.json")
	k6 := exec.Command(build(t, ".."), "run", "--quiet", "--address", "", "-e", "TARGET_URL="+startStub(t), "-e", "STUB=1",
		"-e", "SUMMARY="+summary, "-e", variable, script)
	k6.Env = []string{"HOME=" + t.TempDir(), "K6_NO_USAGE_REPORT=true", "K6_AUTO_EXTENSION_RESOLUTION=false"}
	if out, err := k6.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	data, err := os.ReadFile(summary)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
