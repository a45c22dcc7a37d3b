package artifact

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"fairstream/scripts/internal/ci/plan"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
)

// A hostile artifact, or a directory of them, and a part of the reason why it
// is refused.
type hostile struct {
	want  string
	plan  *plan.Plan
	place func(t testing.TB, dir string)
}

// bytesOf places one file.
func bytesOf(want string, make func(t testing.TB) []byte) hostile {
	return hostile{want: want, place: func(t testing.TB, dir string) { write(t, dir, "artifact.zip", make(t)) }}
}

// lines places a zip whose member has this text.
func lines(want string, make func(t testing.TB) string) hostile {
	return bytesOf(want, func(t testing.TB) []byte { return zipped(t, file{text: make(t)}) })
}

// key places a job with one key of one record changed.
func key(want, path string, value any) hostile {
	return lines(want, func(t testing.TB) string { return change(t, path, value) })
}

// swap places a job with one text in the JSON of one record replaced.
func swap(want, from, to string) hostile { return swapIn("stress-100", want, from, to) }

func swapIn(scenario, want, from, to string) hostile {
	return lines(want, func(t testing.TB) string {
		good := text(t, good("go-http", scenario, 1))
		if strings.Count(good, from) != 1 {
			t.Fatalf("%q is %d times in %s", from, strings.Count(good, from), good)
		}
		return strings.Replace(text(t, completeRecords("go-http")...), good, strings.Replace(good, from, to, 1), 1)
	})
}

// ofRun places a job with all records changed, since they share their run.
func ofRun(want string, change func(*record.Record)) hostile {
	return lines(want, func(t testing.TB) string {
		records := completeRecords("go-http")
		for i := range records {
			change(&records[i])
		}
		return text(t, records...)
	})
}

// ofDirect places a job with one key of one of direct's records changed.
func ofDirect(want, path string, value any) hostile {
	return lines(want, func(t testing.TB) string {
		old := text(t, good("direct", "stress-100", 1))
		return strings.Replace(text(t, completeRecords("go-http")...), old, changed(t, good("direct", "stress-100", 1), path, value), 1)
	})
}

// without places a job that lacks some records.
func without(want string, lacks func(record.Record) bool) hostile {
	return lines(want, func(t testing.TB) string { return text(t, slices.DeleteFunc(completeRecords("go-http"), lacks)...) })
}

// ofRank places a leaderboard, of leaderboardPlan, that lacks some records.
func ofRank(want string, lacks func(record.Record) bool) hostile {
	h := lines(want, func(t testing.TB) string { return text(t, slices.DeleteFunc(rounds(2, "go-gin", "go-http"), lacks)...) })
	h.plan = &leaderboardPlan
	return h
}

// ofComparison places a changed comparison.
func ofComparison(want string, change func([]record.Record) []record.Record) hostile {
	h := lines(want, func(t testing.TB) string { return text(t, change(comparison(1, 2))...) })
	h.plan = &pullPlan
	return h
}

// notLoaded makes a comparison one of identical programs, with this artefact of head.
func notLoaded(all []record.Record, artefact string) []record.Record {
	for i := range all {
		r := &all[i]
		r.Status, r.Why, r.Metrics, r.Conditions = record.Invalid, []string{verdict.NotLoaded}, record.Metrics{}, record.Conditions{}
		for _, m := range record.Table("relay") {
			r.Metrics[m.Name] = nil
		}
		if r.Server.Side == "head" {
			r.Server.Artefact = &artefact
		}
	}
	return all
}

func named(want, name string, mode fs.FileMode) hostile {
	return bytesOf(want, func(t testing.TB) []byte {
		f := file{text: text(t, completeRecords("go-http")...)}
		if strings.HasSuffix(name, "/") {
			f.text = ""
		}
		f.Name = name
		f.SetMode(mode)
		return zipped(t, f)
	})
}

func tools(n int) map[string]string {
	all := map[string]string{}
	for i := range n {
		all[fmt.Sprint("t", i)] = "1.0"
	}
	return all
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// patched is a good zip with two bytes of its central directory replaced.
func patched(t testing.TB, offset int, value uint16) []byte {
	z := zipped(t, file{text: text(t, completeRecords("go-http")...)})
	at := bytes.Index(z, []byte("PK\x01\x02"))
	binary.LittleEndian.PutUint16(z[at+offset:], value)
	return z
}

// lying is a zip whose headers give a wrong size.
func lying(t testing.TB, size uint32) []byte {
	z := zipped(t, file{text: text(t, completeRecords("go-http")...)})
	binary.LittleEndian.PutUint32(z[bytes.Index(z, []byte("PK\x01\x02"))+24:], size)
	at := bytes.Index(z, []byte("PK\x07\x08")) // the data descriptor behind the member
	binary.LittleEndian.PutUint32(z[at+12:], size)
	return z
}
