package artifact

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"

	"fairstream/scripts/internal/ci/plan"
	"fairstream/scripts/internal/judge/record"
)

// detailsForm matches the name of an artifact with the details of a leaderboard run. The groups are the
// workload and the attempt.
var detailsForm = regexp.MustCompile(`^records-([^/.]+)\.leaderboard\.details-([0-9]{1,6})(/|\.zip$)`)

// detailsMember is the only file in that artifact.
const detailsMember = "details.json"

// attached are artifacts that lie beside those of records, by what their form names and by attempt.
type attached struct {
	form *regexp.Regexp
	all  map[string]map[int][]string
}

func newAttached(form *regexp.Regexp) attached { return attached{form, map[string]map[int][]string{}} }

// add notes an artifact, and says whether it is one of these.
func (b attached) add(name string) bool {
	m := b.form.FindStringSubmatch(name)
	if m == nil {
		return false
	}
	if b.all[m[1]] == nil {
		b.all[m[1]] = map[int][]string{}
	}
	attempt, _ := strconv.Atoi(m[2]) // at most six digits
	b.all[m[1]][attempt] = append(b.all[m[1]][attempt], name)
	return true
}

// detailsOf reads the details of the leaderboard run of a workload, of the same attempt; nil without any.
func (b attached) detailsOf(dir, workload string, run claim) (of *record.Details, refused []Refusal) {
	return readOnly(b.all[workload][run.attempt], "details of "+plan.LeaderboardRun(workload), func(name string) (*record.Details, error) {
		return readDetails(dir, name, run.records)
	})
}

// readDetails reads the details of accepted records. Faulty details do not affect the records.
func readDetails(dir, name string, records []record.Record) (*record.Details, error) {
	text, err := readMember(dir, name, detailsMember)
	if err != nil {
		return nil, err
	}
	d, err := record.ReadDetails(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", detailsMember, err)
	}
	if err := d.Fit(records); err != nil {
		return nil, fmt.Errorf("%s: %w", detailsMember, err)
	}
	return &d, nil
}
