package raw

import (
	"encoding/json"
	"strings"
	"testing"

	"fairstream/k6/shared/hist"
)

// withNames is a file of requests with these series of names.
func withNames(named string) []byte {
	const counts = `{"count":4,"sum_us":4000,"min_us":1000,"max_us":1000,"buckets":{"1000":4}}`
	const more = `{"count":4,"sum_us":12000,"min_us":3000,"max_us":3000,"buckets":{"1774":4}}`
	named = strings.NewReplacer("LONG", more, "SHORT", counts).Replace(named)
	return requests(`"connect_us":{"count":4,"sum_us":4000,"min_us":1000,"max_us":1000,"buckets":{"1000":4}}}]`,
		`"connect_us":`+counts+`}],"named":[`+named+`]`)
}

func named(target, level, name, started, times string) string {
	return `{"target":"` + target + `","level":"` + level + `","name":"` + name + `","started":` + started + `,"ok":4,"failed":{},"request_us":` + times + `}`
}

// The requests of a name have their own times, failures and share of the time.
func TestRequestsWithNamesArePartsOfTheirLoad(t *testing.T) {
	none := `{"target":"a","level":"1000","name":"c","started":2,"ok":0,"failed":{"body":1},"request_us":{"count":0,"sum_us":0,"min_us":null,"max_us":null,"buckets":{}}}`
	s, err := ParseSummary(withNames(named("a", "1000", "b", "6", "LONG") + "," + none + "," + named("a", "1000", "GET /", "4", "SHORT") + "," + named("a", "500", "x", "4", "SHORT")))
	if err != nil {
		t.Fatal(err)
	}
	l, _ := s.Load("a", "1000")
	for i := range l.Named {
		l.Named[i].Counts = hist.Counts{} // Request has their figures
	}
	got, err := json.Marshal(l.Named)
	if err != nil {
		t.Fatal(err)
	}
	const want = `[{"Name":"GET /","Requests":4,"Failed":0,"Request":{"Mean":1,"P50":1,"P95":1,"P99":1,"Max":1},"SharePct":25},` +
		`{"Name":"b","Requests":4,"Failed":2,"Request":{"Mean":3,"P50":3,"P95":3,"P99":3,"Max":3},"SharePct":75},` +
		`{"Name":"c","Requests":0,"Failed":2,"Request":null,"SharePct":0}]`
	if none := `"Counts":{"count":0,"sum_us":0,"min_us":null,"max_us":null,"buckets":{}},`; strings.ReplaceAll(string(got), none, "") != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestNamesThatCannotBe(t *testing.T) {
	for text, want := range map[string]string{
		named("a", "1000", "", "4", "SHORT"):                                                    `requests ""`,
		named("a", "1000", "b", "3", "SHORT"):                                                   `requests "b": 3 began, 4 were complete, and 4 have a time`,
		named("a", "1000", "b", "4", "SHORT") + "," + named("a", "1000", "b", "4", "SHORT"):     `requests "b" are there twice`,
		strings.Replace(named("a", "1000", "b", "4", "SHORT"), `"ok":4`, `"ok":3`, 1):           "4 have a time",
		strings.Replace(named("a", "1000", "b", "4", "SHORT"), `"name"`, `"kind":"","name"`, 1): "kind",
	} {
		if _, err := ParseSummary(withNames(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s:\ngot  %v\nwant %s", text, err, want)
		}
	}
}
