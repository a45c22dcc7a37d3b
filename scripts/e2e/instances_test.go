package e2e

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/testfile"
)

// A fleet is instances of real k6 that share a load of one stub.
type fleet struct {
	*testing.T
	stub    string // root of its API
	targets string
	dir     string
}

func newFleet(t *testing.T) fleet {
	stub := exec.Command("../stub/bin/stub")
	stub.Env, stub.Stderr = []string{"PORT=0"}, os.Stderr
	stub.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	out, err := stub.StdoutPipe()
	if err == nil {
		err = stub.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = stub.Process.Kill() // it may have ended already
		_ = stub.Wait()         // we killed it
	})
	f := fleet{T: t, dir: t.TempDir()}
	if _, err := fmt.Fscanln(out, &f.stub); err != nil {
		t.Fatal(err)
	}
	f.targets = filepath.Join(f.dir, "targets.json")
	text := fmt.Sprintf(`{"targets": [{"name": "direct", "url": "%s/chat/completions"}], "watched": {"stub": [%d]}}`,
		f.stub, stub.Process.Pid)
	testfile.Write(t, f.targets, text)
	return f
}

// sequences of the parts of instances, by their number.
var sequences = map[int]string{1: "0,1", 2: "0,1/2,1", 3: "0,1/3,2/3,1"}

// start starts instance i of n. Its summary is in the returned file once it has ended.
func (f fleet) start(i, n int, address string, variables []string, flags ...string) (k6 *exec.Cmd, summary string) {
	f.Helper()
	points := strings.Split(sequences[n], ",")
	part := points[i] + ":" + points[i+1]
	summary = filepath.Join(f.dir, fmt.Sprintf("k6-%d.json", i))
	args := []string{
		"run", "--quiet", "--no-color", "--address", address,
		"--execution-segment", part, "--execution-segment-sequence", sequences[n],
	}
	variables = append(variables, "TARGETS_FILE="+f.targets, "SUMMARY="+summary, fmt.Sprint("INSTANCES=", n))
	for _, v := range append(variables, "QUICK=1", "LOAD_MS=2000", "SCENARIOS=steady") {
		args = append(args, "-e", v)
	}
	k6 = exec.Command("../k6/bin/k6", append(append(args, flags...), "../k6/relay/ranking.js")...)
	k6.Env = []string{"HOME=" + f.dir, "K6_NO_USAGE_REPORT=true", "K6_AUTO_EXTENSION_RESOLUTION=false"}
	k6.Stderr, k6.SysProcAttr = os.Stderr, &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := k6.Start(); err != nil {
		f.Fatal(err)
	}
	return k6, summary
}

func startAt(ahead time.Duration) string {
	return fmt.Sprint("START_AT=", time.Now().Add(ahead).UnixMilli())
}

// end waits for instances, and reads what they wrote.
func (f fleet) end(instances []*exec.Cmd, summaries []string) (files [][]byte) {
	f.Helper()
	for i, k6 := range instances {
		_ = k6.Wait() // an interrupted one has a status of its own
		data, err := os.ReadFile(summaries[i])
		if err != nil {
			f.Fatal(err)
		}
		files = append(files, data)
	}
	return files
}

// resume does what k6-operator does: it waits for an instance that is paused, and lets it go on.
func (f fleet) resume(address string) {
	f.Helper()
	const goOn = `{"data": {"type": "status", "id": "default", "attributes": {"paused": false}}}`
	for until := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		var status struct {
			Data struct{ Attributes struct{ Paused bool } }
		}
		res, err := http.Get("http://" + address + "/v1/status")
		if err == nil {
			err = json.NewDecoder(res.Body).Decode(&status)
			res.Body.Close()
		}
		if err == nil && status.Data.Attributes.Paused {
			break
		}
		if time.Now().After(until) {
			f.Fatalf("k6 at %s is not paused after a minute: %v", address, err)
		}
	}
	at := "http://" + address + "/v1/status"
	req, err := http.NewRequestWithContext(f.Context(), http.MethodPatch, at, strings.NewReader(goOn))
	if err != nil {
		f.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil || res.StatusCode != 200 {
		f.Fatal(res, err)
	}
	res.Body.Close()
}

// sent is how many tokens the stub wrote.
func (f fleet) sent() int64 {
	f.Helper()
	res, err := http.Get(strings.TrimSuffix(f.stub, "/v1") + "/stats")
	if err != nil {
		f.Fatal(err)
	}
	defer res.Body.Close()
	var stats struct{ Tokens map[string]int64 }
	if err := json.NewDecoder(res.Body).Decode(&stats); err != nil {
		f.Fatal(err)
	}
	return stats.Tokens["direct"]
}

func freeAddress(t *testing.T) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	return ln.Addr().String()
}

// One, two and three instances of k6 load the same, by the project's own script: START_AT says when they begin, or
// they are resumed one after the other. Each token of the stub arrives once. A busy machine may delay an instance,
// and then the load says so; it may do that twice.
func TestInstancesOfK6ShareALoad(t *testing.T) {
	for n := range sequences {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			err := share(t, n)
			for retries := 2; err != nil && retries > 0 && strings.Contains(err.Error(), " lagged: "); retries-- {
				t.Log(err)
				err = share(t, n)
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
}

// share lets n instances load. Two are resumed, and others begin at START_AT.
func share(t *testing.T, n int) error {
	f := newFleet(t)
	var instances []*exec.Cmd
	var summaries, addresses []string
	variables, flags := []string{startAt(10 * time.Second)}, []string(nil)
	if n == 2 {
		variables, flags = nil, []string{"--paused"}
	}
	for i := range n {
		address := freeAddress(t)
		k6, summary := f.start(i, n, address, variables, flags...)
		instances, summaries = append(instances, k6), append(summaries, summary)
		addresses = append(addresses, address)
	}
	if n == 2 {
		until := time.Now().Add(5 * time.Second).Truncate(10 * time.Second).Add(time.Second)
		time.Sleep(time.Until(until)) // both are resumed within the same 10 s
		for _, address := range addresses {
			f.resume(address)
		}
	}
	files := f.end(instances, summaries)
	s, err := raw.MergeSummaries(files...)
	if err != nil {
		return err
	}
	warm, _ := s.Load("direct", raw.WarmUp)
	load, _ := s.Load("direct", "steady")
	failed, streams := warm.Failed+load.Failed, warm.Requests+load.Requests
	if warm.Requests != 200 || failed != 0 || warm.VUs != 20 || load.VUs != 20 || load.Requests < 20 {
		t.Errorf("warm-up: %d VUs, %d streams; load: %d VUs, %d streams; %d failed; want 20 VUs, and 200 streams to warm up",
			warm.VUs, warm.Requests, load.VUs, load.Requests, failed)
	}
	came, doubled := *warm.Counts.Tokens+*load.Counts.Tokens, warm.Counts.Doubled+load.Counts.Doubled
	if sent := f.sent(); came != sent || doubled != 0 || came != 20*streams {
		t.Errorf("the stub sent %d tokens, %d came, %d twice, in %d streams", sent, came, doubled, streams)
	}
	if used, known := load.CPUSeconds["stub"]; !known || used <= 0 || load.CPUSeconds["k6"] <= 0 {
		t.Errorf("CPU time %v", load.CPUSeconds)
	}
	return nil
}

// An instance that begins late, and one that is interrupted, make the load not measured. Both say so at once.
func TestAnInstanceThatLagsOrEndsIsNoPartOfALoad(t *testing.T) {
	f := newFleet(t)
	late, lateFile := f.start(0, 2, "", []string{startAt(-time.Minute)})
	ended, endedFile := f.start(1, 2, "", []string{startAt(time.Minute)})
	time.Sleep(3 * time.Second)
	if err := ended.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	files := f.end([]*exec.Cmd{late, ended}, []string{lateFile, endedFile})
	for i, want := range []string{
		"not measured: instance 0:1/2 lagged: slice 0 began ",
		"not measured: instance 1/2:1 ended after 0 of 2 slices",
	} {
		if _, err := raw.MergeSummaries(files[i]); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
	if sent := f.sent(); sent != 0 {
		t.Errorf("the stub sent %d tokens", sent)
	}
}
