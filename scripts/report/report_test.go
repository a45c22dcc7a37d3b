package report

import (
	"bytes"
	"flag"
	"os"
	"strings"
	"testing"

	"fairstream/scripts/record"
)

var update = flag.Bool("update", false, "write the golden files")

func read(t *testing.T, path string) []record.Record {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	records, err := record.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	return records
}

func TestRecordsToTables(t *testing.T) {
	records := read(t, "../record/testdata/mixed.jsonl")
	for _, format := range Formats {
		var got bytes.Buffer
		if err := Write(&got, format, records); err != nil {
			t.Fatal(err)
		}
		golden := "testdata/mixed." + format
		if *update {
			if err := os.WriteFile(golden, got.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got.Bytes(), want) {
			t.Errorf("differs from %s; -update writes it anew. Got:\n%s", golden, got.Bytes())
		}
	}
}

func TestSeveralRoundsShowTheMedian(t *testing.T) {
	var records []record.Record
	for i, rate := range []float64{10, 70, 20} {
		r := read(t, "../record/testdata/mixed.jsonl")[1]
		r.Round, r.Run.Rounds = i+1, 3
		r.Metrics["rate_per_s"] = &rate
		records = append(records, r)
	}
	var got bytes.Buffer
	if err := Write(&got, "markdown", records); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| go-http | 20.0 |", "Medians of 3 rounds."} {
		if !strings.Contains(got.String(), want) {
			t.Errorf("no %q in:\n%s", want, got.String())
		}
	}
}

func TestRefusals(t *testing.T) {
	one := read(t, "../record/testdata/mixed.jsonl")
	other := read(t, "../record/testdata/mixed.jsonl")
	for i := range other {
		other[i].Run.ID = "another"
	}
	for _, c := range []struct {
		format  string
		records []record.Record
		want    string
	}{
		{"text", nil, "no records"},
		{"text", append(one, other...), "records of 2 runs (another, mixed)"},
		{"pdf", one, `format "pdf": unknown; known are text, markdown, benchfmt`},
	} {
		if err := Write(&bytes.Buffer{}, c.format, c.records); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}
