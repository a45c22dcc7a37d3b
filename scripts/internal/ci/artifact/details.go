package artifact

import (
	"bytes"
	"fmt"
	"regexp"

	"fairstream/scripts/internal/judge/details"
	"fairstream/scripts/internal/judge/record"
)

// detailsForm matches the name of the artifact with the details of the leaderboard run. The group is the
// attempt.
var detailsForm = regexp.MustCompile(`^records-leaderboard\.details-([0-9]{1,6})(/|\.zip$)`)

// detailsMember is the only file in that artifact.
const detailsMember = "details.json"

// readDetails reads the details of accepted records. Faulty details do not affect the records.
func readDetails(dir, name string, records []record.Record) (*details.Details, error) {
	data, err := readFile(dir, name)
	if err != nil {
		return nil, err
	}
	text, err := unzip(data, detailsMember)
	if err != nil {
		return nil, err
	}
	if err := strict(text, detailsDepth); err != nil {
		return nil, fmt.Errorf("%s: %w", detailsMember, err)
	}
	d, err := details.Read(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", detailsMember, err)
	}
	if err := d.Fit(records); err != nil {
		return nil, fmt.Errorf("%s: %w", detailsMember, err)
	}
	return &d, nil
}
