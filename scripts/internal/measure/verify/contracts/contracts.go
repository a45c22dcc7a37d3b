// Package contracts leads from the name of a workload to the checks of its contract.
package contracts

import (
	"slices"

	"fairstream/scripts/internal/measure/verify"
)

//go:generate go run fairstream/scripts/internal/parts -dir .. -import fairstream/scripts/internal/measure/verify -with fairstream/scripts/internal/measure/verify -name Checks -as "contracts map[string][]verify.Check" -package contracts -out generated.go

// Of returns the checks of a workload, nil for an unknown one.
func Of(workload string) []verify.Check { return contracts[workload] }

// Choose returns the checks of each workload that a list names; see verify.Choose.
func Choose(workloads []string, list string) (map[string][]verify.Check, error) {
	var all []verify.Check
	for _, w := range workloads {
		all = append(all, Of(w)...)
	}
	chosen, err := verify.Choose(all, list)
	if err != nil {
		return nil, err
	}
	named := func(c verify.Check) bool {
		return !slices.ContainsFunc(chosen, func(d verify.Check) bool { return d.Name == c.Name })
	}
	by := map[string][]verify.Check{}
	for _, w := range workloads {
		by[w] = slices.DeleteFunc(slices.Clone(Of(w)), named)
	}
	return by, nil
}
