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

// drawings are the artifacts of details, by plan.LeaderboardDetails and attempt.
type drawings map[string]map[int][]string

// add notes an artifact of details, and says whether it is one.
func (d drawings) add(name string) bool {
	m := detailsForm.FindStringSubmatch(name)
	if m == nil {
		return false
	}
	of := plan.LeaderboardDetails(m[1])
	if d[of] == nil {
		d[of] = map[int][]string{}
	}
	attempt, _ := strconv.Atoi(m[2]) // at most six digits
	d[of][attempt] = append(d[of][attempt], name)
	return true
}

// read reads the details of the leaderboard run of a workload, of the same attempt; nil without any.
func (d drawings) read(dir, workload string, run claim) (of *record.Details, refused []Refusal) {
	beside := d[plan.LeaderboardDetails(workload)][run.attempt]
	return readOnly(beside, "details of "+plan.LeaderboardRun(workload), func(name string) (*record.Details, error) {
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
