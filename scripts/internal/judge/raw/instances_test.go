package raw

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// asInstance makes a file one of an instance. edits are of the text.
func asInstance(file func(...string) []byte, segment, sequence string, edits ...string) []byte {
	instance := fmt.Sprintf(`"planned":1,"instance":{"segment":%q,"sequence":%q,"schedule":"s","start_unix_ms":7,`+
		`"machine":"m","late":""}`, segment, sequence)
	text := strings.Replace(string(file()), `"planned":1`, instance, 1)
	return []byte(strings.NewReplacer(edits...).Replace(text))
}

// parts are the files of instances of one load.
func parts(file func(...string) []byte, points ...string) (files [][]byte) {
	for i := range points[1:] {
		files = append(files, asInstance(file, points[i]+":"+points[i+1], strings.Join(points, ",")))
	}
	return files
}

func TestSummariesOfInstancesAreAdded(t *testing.T) {
	for unit, file := range map[string]func(...string) []byte{"stream": small, "request": requests} {
		one, err := ParseSummary(file())
		if err != nil {
			t.Fatal(err)
		}
		for n, points := range map[int64][]string{1: {"0", "1"}, 2: {"0", "1/2", "1"}, 3: {"0", "1/3", "2/3", "1"}} {
			files := parts(file, points...)
			slices.Reverse(files)
			s, err := MergeSummaries(files...)
			if err != nil {
				t.Fatal(unit, n, err)
			}
			got, want := s.Loads[0], one.Loads[0]
			more := float64(n)
			if want.Open() {
				want.Unsent = new(n * *want.Unsent)
			}
			sum := got.Requests == n*want.Requests && got.VUs == int(n)*want.VUs && got.Failed == n*want.Failed &&
				got.BusySeconds == more*want.BusySeconds && got.Rate() == more*want.Rate() &&
				got.Counts.TTFB.Count == uint64(n)*want.Counts.TTFB.Count && reflect.DeepEqual(got.Unsent, want.Unsent)
			same := s.Unit == unit && len(s.Loads) == 1 && got.Slices == want.Slices && got.Seconds == want.Seconds &&
				reflect.DeepEqual(got.Request, want.Request)
			if !sum || !same {
				t.Errorf("%s: %d instances: %+v; one: %+v", unit, n, got, want)
			}
		}
	}
}

func TestPercentilesOfInstancesAreOfAllRequests(t *testing.T) {
	files := parts(small, "0", "1/2", "1")
	slow := strings.NewReplacer(`"1000":4`, `"1500":4`, `"sum_us":4000,"min_us":1000,"max_us":1000`,
		`"sum_us":12000,"min_us":2952,"max_us":2955`)
	files[1] = []byte(slow.Replace(string(files[1])))
	s, err := MergeSummaries(files...)
	if err != nil {
		t.Fatal(err)
	}
	if r := s.Loads[0].Request; r.P50 != 1 || r.P99 < 1.9 || r.Mean != 2 || r.Max != 2.955 {
		t.Errorf("%+v", r)
	}
}

// Of instances on one machine each reads the same processes and cores; k6 is its own.
func TestTheClocksOfInstancesAreOfTheirMachines(t *testing.T) {
	twice := parts(small, "0", "1/2", "1")
	apart := parts(small, "0", "1/2", "1")
	apart[1] = []byte(strings.Replace(string(apart[1]), `"machine":"m"`, `"machine":"n"`, 1))
	lost := parts(small, "0", "1/2", "1")
	ended := strings.NewReplacer(`"a":5,`, "", `"lost":[]`, `"lost":["a"]`, `"k6_wait_ms":3`, `"k6_wait_ms":null`)
	lost[1] = []byte(ended.Replace(string(lost[1])))
	for name, c := range map[string]struct {
		files [][]byte
		want  string
	}{
		"one machine":  {twice, "map[a:0.005 k6:0.002] map[a:4096] 0.006 0.02"},
		"two machines": {apart, "map[a:0.01 k6:0.002] map[a:8192] 0.006 0.04"},
		"one lost it":  {lost, "map[k6:0.002] map[] unknown 0.02"},
	} {
		s, err := MergeSummaries(c.files...)
		if err != nil {
			t.Fatal(name, err)
		}
		l, wait := s.Loads[0], "unknown"
		if l.K6WaitSeconds != nil {
			wait = fmt.Sprint(*l.K6WaitSeconds)
		}
		if got := fmt.Sprintln(l.CPUSeconds, l.PeakRSSBytes, wait, *l.MachineBusySeconds); got != c.want+"\n" {
			t.Errorf("%s: %s; want %s", name, got, c.want)
		}
	}
}

func TestInstancesThatAreNotOneLoad(t *testing.T) {
	good := parts(small, "0", "1/2", "1")
	second := func(edits ...string) [][]byte {
		return [][]byte{good[0], asInstance(small, "1/2:1", "0,1/2,1", edits...)}
	}
	for name, c := range map[string]struct {
		files [][]byte
		want  string
	}{
		"none":           {nil, "no summary"},
		"missing":        {good[:1], "no summary of instance 1/2:1"},
		"twice":          {[][]byte{good[0], good[0]}, "two summaries of instance 0:1/2"},
		"no instance":    {[][]byte{good[0], small()}, "summary 2 of 2 is of no instance"},
		"other parts":    {[][]byte{good[0], asInstance(small, "1/3:1", "0,1/3,1")}, "instance 1/3:1 is of 0,1/3,1, and "},
		"no part":        {append(good[:2:2], asInstance(small, "1/3:1/2", "0,1/2,1")), "instance 1/3:1/2 is not in "},
		"other schedule": {second(`"schedule":"s"`, `"schedule":"t"`), "instances 0:1/2 and 1/2:1 have other schedules"},
		"other unit":     {[][]byte{good[0], asInstance(requests, "1/2:1", "0,1/2,1")}, "instances 0:1/2 and 1/2:1 have other "},
		"other start":    {second(`"start_unix_ms":7`, `"start_unix_ms":10007`), "instance 1/2:1 began 10000 ms after "},
		"late":           {second(`"late":""`, `"late":"slice 2 began 214ms late"`), "instance 1/2:1 lagged: slice 2 "},
		"discards":       {second(`"vus"`, `"cycle":1,"discarded":true,"vus"`), "instance 1/2:1 discarded a cycle"},
		"cut":            {[][]byte{good[0], good[1][:200]}, "summary 2 of 2: unexpected EOF"},
	} {
		s, err := MergeSummaries(c.files...)
		if err == nil || !strings.HasPrefix(err.Error(), "not measured: "+c.want) || !reflect.DeepEqual(s, Summary{}) {
			t.Errorf("%s: %v; want %q", name, err, c.want)
		}
	}
	short := slices.Clone(good)
	for i := range short {
		short[i] = []byte(strings.Replace(string(short[i]), `"planned":1`, `"planned":2`, 1))
	}
	_, err := MergeSummaries(short...)
	if err == nil || !strings.Contains(err.Error(), "instance 0:1/2 ended after 1 of 2 slices") {
		t.Error(err)
	}
	_, err = ParseSummary(good[0])
	if err == nil || !strings.Contains(err.Error(), "it is of instance 0:1/2 of 0,1/2,1: want those of all, merged") {
		t.Error(err)
	}
}
