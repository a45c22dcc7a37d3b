package artifact

import (
	"bytes"
	"fmt"
	"regexp"

	"fairstream/scripts/internal/judge/record"
)

// machineForm matches the name of an artifact with the records of one machine among several. The groups are its runner's label and the
// attempt.
var machineForm = regexp.MustCompile(`^records-equal\.([^/]+)-[0-9]{1,6}(/|\.zip$)`)

// Machines reads the records that several machines of one kind uploaded, by label. A faulty artifact is an error, since the answer would
// be about the others alone.
func Machines(dir string) (map[string][]record.Record, error) {
	found, err := find(dir)
	if err != nil {
		return nil, fmt.Errorf("artifact: %w", err)
	}
	all := map[string][]record.Record{}
	for _, name := range found {
		m := machineForm.FindStringSubmatch(name)
		if m == nil {
			return nil, fmt.Errorf("artifact %q: want the records of a machine, records-equal.LABEL-ATTEMPT", Harmless(name))
		}
		if all[m[1]] != nil {
			return nil, fmt.Errorf("artifact %q: %s has records of two attempts; repeat all jobs, since figures of two times differ", Harmless(name), m[1])
		}
		text, err := readMember(dir, name, member)
		if err == nil {
			all[m[1]], err = record.Read(bytes.NewReader(text))
		}
		if err != nil {
			return nil, fmt.Errorf("artifact %q: %w", Harmless(name), err)
		}
	}
	return all, nil
}
