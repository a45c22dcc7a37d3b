package main

import (
	"maps"
	"slices"

	"fairstream/stub/common"
)

//go:generate go run -C ../scripts ./internal/parts -dir ../stub -import fairstream/stub -with fairstream/stub/common -name Routes -as "parts map[string][]common.Route" -package main -out ../stub/generated.go

// routes are those of all parts. Parts are in the order of their names, so that each start is the same.
func routes() (all []common.Route) {
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		all = append(all, parts[name]...)
	}
	return all
}
