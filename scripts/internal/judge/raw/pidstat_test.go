package raw

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"fairstream/scripts/internal/testfile"
)

func TestPidstatGolden(t *testing.T) {
	samples, err := ParsePidstat(strings.NewReader(string(testdata(t, "testdata/pidstat.txt"))))
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	for _, s := range samples {
		if err := json.NewEncoder(&got).Encode(s); err != nil {
			t.Fatal(err)
		}
	}
	testfile.Check(t, "testdata/pidstat.golden", got.Bytes())
}

func TestColumnsAreFoundByTheirNames(t *testing.T) {
	const text = "Linux 6.1.0 (host) \t01/02/26 \t_x86_64_\t(2 CPU)\n\n" +
		"# Time        UID       PID    %CPU     RSS  Command\n" +
		"1795228051      0      11      8.00    7732  stub\n" +
		"\n# RSS Command %CPU PID Time\n" +
		"20 k6 0.50 12 1795228052\n"
	want := []Sample{
		{Time: 1795228051, PID: 11, CPUPct: 8, RSSBytes: 7732 << 10},
		{Time: 1795228052, PID: 12, CPUPct: 0.5, RSSBytes: 20 << 10},
	}
	got, err := ParsePidstat(strings.NewReader(text))
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got  %+v, %v\nwant %+v", got, err, want)
	}
	windows := strings.ReplaceAll(text, "\n", "\r\n")
	if got, err := ParsePidstat(strings.NewReader(windows)); err != nil || !slices.Equal(got, want) {
		t.Errorf("with other line ends: got %+v, %v", got, err)
	}
}

func TestALineThatIsNoSampleIsAnErrorWithItsNumber(t *testing.T) {
	const header = "Linux 6.1.0\n\n# Time PID %CPU RSS Command\n"
	for _, c := range []struct{ name, text, want string }{
		{"a sample before the header", "Linux 6.1.0\n1795228051 11 8.00 7732 stub\n", `line 2: a sample before any header: "1795228051 11 8.00 7732 stub"`},
		{"an error message", "\npidstat: no such process\n", `line 2: a sample before any header: "pidstat: no such process"`},
		{"no column for the memory", "# Time PID %CPU Command\n1795228051 11 8.00 stub\n", "line 2: no column RSS; the header has Time PID %CPU Command"},
		{"no column for the time", "# PID %CPU RSS\n11 8.00 7732\n", "line 2: no column Time; the header has PID %CPU RSS"},
		{"an empty header", "#\n1795228051\n", "line 2: no column Time; the header has "},
		{"a time of day", header + "10:15:01 11 8.00 7732 stub\n", `line 4: column Time: "10:15:01" is not a number`},
		{"a decimal comma", header + "1795228051 11 8,00 7732 stub\n", `line 4: column %CPU: "8,00" is not a number`},
		{"the first of two", header + "1795228051 x 8.00 y stub\n", `line 4: column PID: "x" is not a number`},
		{"on a later line", header + "1795228051 11 8.00 7732 stub\n\n1795228052 11 8.00 - stub\n", `line 6: column RSS: "-" is not a number`},
		{"not a number", header + "1795228051 11 nan 7732 stub\n", `line 4: column %CPU: "nan" is not a number`},
		{"too much", header + "1795228051 11 inf 7732 stub\n", `line 4: column %CPU: "inf" is not a number`},
		{"no time at all", header + "1e18 11 8.00 7732 stub\n", "line 4: column Time: 1000000000000000000; want Unix seconds"},
		{"before all time", header + "-1 11 8.00 7732 stub\n", "line 4: column Time: -1; want Unix seconds"},
		{"a line that was cut off", header + "1795228051 11 8.00\n", "line 4: the line ends before column RSS"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, err := ParsePidstat(strings.NewReader(c.text)); err == nil || err.Error() != c.want || got != nil {
				t.Errorf("got  %+v, %v\nwant %s", got, err, c.want)
			}
		})
	}
}

// A file that was cut anywhere has the samples of the whole one, but for those that
// it lost: "49" of "49312" is a number, too.
func TestACutFileHasNoOtherSamples(t *testing.T) {
	text := string(testdata(t, "testdata/pidstat.txt"))
	whole, err := ParsePidstat(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	for n := range len(text) {
		got, err := ParsePidstat(strings.NewReader(text[:n]))
		if err != nil || len(got) > len(whole) || !slices.Equal(got, whole[:len(got)]) {
			t.Fatalf("cut after %d bytes, in %q: %d samples, %v, the last other than in the whole", n, text[max(0, n-40):n], len(got), err)
		}
	}
}

func TestALineWithoutEndIsAnError(t *testing.T) {
	text := "# Time PID %CPU RSS Command\n1 1 1 1 " + strings.Repeat("x", 1<<20)
	if _, err := ParsePidstat(strings.NewReader(text)); err == nil {
		t.Error("a line of a mebibyte: no error")
	}
}

func FuzzEverySampleIsALineOfNumbers(f *testing.F) {
	f.Add(string(testdata(f, "testdata/pidstat.txt")))
	f.Add("# Time PID %CPU RSS\n1 2 3 4\n")
	f.Add("# RSS RSS\n1\n#\n")
	f.Fuzz(func(t *testing.T, text string) {
		samples, err := ParsePidstat(strings.NewReader(text))
		if err != nil {
			return
		}
		if lines := 1 + strings.Count(text, "\n"); len(samples) > lines {
			t.Errorf("%d samples from %d lines", len(samples), lines)
		}
		for _, s := range samples {
			if math.IsNaN(s.CPUPct) || math.IsInf(s.CPUPct, 0) {
				t.Errorf("accepted: %+v", s)
			}
		}
	})
}
