package common

import (
	"strings"
	"testing"
)

func TestSchedulesThatCannotBe(t *testing.T) {
	for text, want := range map[string]string{
		`{`:                                     "unexpected EOF",
		`{"targets":[{"name":"a"}],"slice":[]}`: `unknown field "slice"`,
		`{"targets":[{"name":"a"}],"slices":[{"targets":[0,0],"vus":1,"ms":1}]}`:                           "slice 0: target 0 of 1; want indices, each once",
		`{"targets":[{"name":"a"}],"slices":[{"targets":[0],"vus":1,"ms":1,"rate_per_s":-1}]}`:             "slice 0: rate_per_s -1",
		`{"targets":[{"name":"a"}],"slices":[{"targets":[0],"vus":1,"ms":1,"rate_per_s":5,"pause_ms":1}]}`: "want 0 to 1000000, and a rate alone",
		`{}`: "0 targets, 0 slices",
		`{"targets":[{"name":"a"}],"slices":[{"targets":[0],"vus":1}]}`:                                      "slice 0: 1 targets, 1 VUs, 0 ms",
		`{"targets":[{"name":"a"}],"slices":[{"targets":[0],"vus":1,"ms":5,"spread_ms":6}]}`:                 "slice 0: 1 targets, 1 VUs, 5 ms, 0 requests, spread over 6 ms",
		`{"targets":[{"name":"a"}],"slices":[{"targets":[0],"vus":1,"ms":5,"pause_ms":-1}]}`:                 "spread over 0 ms, pauses of -1 ms",
		`{"targets":[{"name":"a"}],"slices":[{"targets":[1],"vus":1,"ms":1}]}`:                               "slice 0: target 1 of 1",
		`{"targets":[{"name":"a"}],"slices":[{"targets":[0],"vus":1,"ms":1},{"targets":[],"vus":1,"ms":1}]}`: "slice 1: 0 targets",
	} {
		var d Module
		if err := d.set([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	var far Module
	if err := far.set([]byte(`{"targets":[{"name":"a"}],"slices":[{"targets":[0],"vus":1,"ms":1}],"watched":{"x":[5000000]}}`)); err == nil || !strings.Contains(err.Error(), `watched "x": process 5000000`) {
		t.Error(err)
	}
	var twice Module
	if err := twice.set([]byte(`{"targets":[{"name":"a"}],"slices":[{"targets":[0],"vus":1,"ms":1}],"cores":[1,1]}`)); err == nil || !strings.Contains(err.Error(), "core 1: want numbers from 0 on, each once") {
		t.Error(err)
	}
	var many Module
	timeSlices := strings.Repeat(`{"targets":[0],"vus":1,"ms":1},`, MaxSeries)
	if err := many.set([]byte(`{"targets":[{"name":"a"}],"slices":[` + timeSlices + `{"targets":[0],"vus":1,"ms":1}]}`)); err == nil || !strings.Contains(err.Error(), "2001 slices of targets; want at most 2000") {
		t.Error(err)
	}
	var d Module
	good := `{"targets":[{"name":"a"}],"slices":[{"targets":[0],"vus":1,"ms":1}]}`
	if err := d.set([]byte(good)); err != nil {
		t.Error(err)
	}
	if err := d.set([]byte(good)); err != nil { // the next VU
		t.Error(err)
	}
	if err := d.set([]byte(good + " ")); err == nil {
		t.Error("a second plan is taken")
	}
}
