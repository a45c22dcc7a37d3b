package plain

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"fairstream/k6/common"
	"fairstream/k6/common/moduletest"
	"fairstream/k6/shared/hist"
	"fairstream/k6/shared/request"
)

// Requests of a name are counted together over all slices of a level. Requests without a name are in the sum alone.
func TestNamedRequestsAreCountedApart(t *testing.T) {
	s := moduletest.NewScript(t, "plain", newModule())
	url := moduletest.ServeText(t, hello, false).URL
	s.Run(t, fmt.Sprintf(`const slice = (level) => ({level, targets: [0], vus: 1, ms: 60000, requests: 5});
		plain.schedule({targets: [{name: "a", url: %q}], slices: [slice("x"), slice("x"), slice("y")]})`, url))
	text := s.Start().Run(t, `
		const right = {answer: {body: "hello"}}, wrong = {answer: {body: "hallo"}};
		const shape = {timeout_ms: 500, requests: [{name: "b", ...right}, {name: "a", ...right}, {name: "b", ...wrong}, right, {name: "b", ...right}]};
		const before = plain.histograms().named;
		plain.load({x: shape, y: {...shape, requests: [{name: "c", ...right}, {name: "never", ...right}, right], rings: null}});
		JSON.stringify([before ?? null, plain.histograms()])`)
	var before any
	var r hist.Requests
	if err := json.Unmarshal([]byte(text), &[]any{&before, &r}); err != nil || before != nil {
		t.Fatal(err, before)
	}
	var got []string
	for _, n := range r.Named {
		got = append(got, fmt.Sprintf("%s %s %s: %d, %d, %v, %d", n.Target, n.Level, n.Name, n.Started, n.OK, n.Failed, n.Request.Count))
		if n.Request.SumUS <= 0 {
			t.Errorf("%s: no time", n.Name)
		}
	}
	// In each slice the VU goes on from where it was.
	want := []string{"a x a: 2, 2, map[], 2", "a x b: 6, 4, map[body:2], 4", "a y c: 1, 1, map[], 1", "a y never: 2, 2, map[], 2"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestNamesHaveALimit(t *testing.T) {
	var all []request.Request
	for i := range request.MostNames + 1 {
		all = append(all, request.Request{Name: fmt.Sprint(i), Answer: request.Answer{AnyBody: true}})
	}
	s := shape{TimeoutMS: 500, Requests: all}
	if _, err := s.ring(common.Target{Name: "a", URL: "http://127.0.0.1:1"}, ""); err == nil || !strings.Contains(err.Error(), "1001 names of requests; want at most 1000") {
		t.Error(err)
	}
	s.Requests = all[1:]
	if r, err := s.ring(common.Target{Name: "a", URL: "http://127.0.0.1:1"}, ""); err != nil || len(r.named) != request.MostNames {
		t.Error(err)
	}
}

// BenchmarkNamed is what a name adds to a request.
func BenchmarkNamed(b *testing.B) {
	var n named
	for b.Loop() {
		n.start()
		n.end("", 5000)
	}
}

// A thousand names on four levels of three targets must fit: each takes a few kB with its first hundred requests.
func TestNamesTakeLittleMemory(t *testing.T) {
	one := testing.Benchmark(func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var n named
			for i := range 100 {
				n.end("", int64(i*i))
			}
		}
	})
	if kept := one.AllocedBytesPerOp(); kept > 2048 {
		t.Errorf("%d bytes were allocated for 100 requests; want at most 2 kB", kept)
	}
}
