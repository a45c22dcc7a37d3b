package plan

import (
	"fmt"
	"strings"

	"fairstream/scripts/internal/ci/github"
	"fairstream/scripts/internal/workload"
)

// A pull request takes six minutes of the machine for each server, and two hours at worst. So a person names
// the servers when it changes many.
const (
	// mostUnnamed is how many servers of a pull request are measured without a person who names them.
	mostUnnamed = 10
	// mostNamed is how many a person may name: four hours of the machine.
	mostNamed = 40
)

// limited returns the servers to measure of those that a pull request changes: those with these names, or all
// without any name. say is why none is measured, when all are too many.
func (at Place) limited(changed []workload.Server, names []string, pr github.Pull) (servers []workload.Server, say string, err error) {
	if servers, err = chosen(names, changed); err != nil {
		return nil, "", err
	}
	switch {
	case len(names) == 0 && len(changed) > mostUnnamed:
		var some []string
		for _, s := range changed[:2] {
			some = append(some, s.String())
		}
		return nil, fmt.Sprintf("this pull request changes %d servers, and at most %d are measured without their names. A maintainer can name up to %d, such as %s. For that, %s",
			len(changed), mostUnnamed, mostNamed, strings.Join(some, ","), at.byHand(pr)), nil
	case len(servers) > mostNamed:
		return nil, "", InputError{fmt.Errorf("plan: %d servers; want at most %d at once", len(servers), mostNamed)}
	}
	return servers, "", nil
}
