package sse

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"fairstream/k6/common/http1"
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
		return v.post(t, url, ask{target: message, body: rig.Body(message)})
	}
	a := ask("hello @tokens=10 @itl=20ms @ttft=50ms")
	if !a.OK || a.Tokens != 10 || a.Events != 12 {
		t.Fatalf("%+v", a)
	}
	for name, x := range map[string]struct{ got, least, most float64 }{
		"ttft_ms":             {*a.TTFT, 50, 50_000},
		"ttfe_ms":             {*a.TTFE, 0, 50_000},
		"itl_max_ms":          {*a.ITLMax, *a.ITLMean, 50_000},
		"token_delay_mean_ms": {*a.DelayMean, 0, 25_000},
		"token_delay_max_ms":  {*a.DelayMax, *a.DelayMean, 50_000},
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
		"@cut=5": http1.Cut, "@end=5": notDone, "@error=5": failedEvent, "@status=500": badStatus, "@json=1": badType, "@refuse=1": http1.Cut,
	} {
		if a := ask("hello @itl=1ms " + bad); a.OK || a.Kind != kind {
			t.Errorf("%s: %q: %s; want %q", bad, a.Kind, a.Error, kind)
		}
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
