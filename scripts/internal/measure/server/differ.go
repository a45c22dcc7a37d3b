package server

import (
	"encoding/json"
	"slices"
)

// Differ compares the requests of two declarations, by their names. dropped are only in base, added only in head.
// changed have other content in head, or another weight beside the other requests of both.
func Differ(base, head Declaration) (dropped, added, changed []string) {
	dropped, both := withoutRequests(base.Requests, head.Requests)
	added, _ = withoutRequests(head.Requests, base.Requests)
	weights := [2]int{} // of all requests of both
	pairs := make([][2]Request, len(both))
	for i, r := range both {
		j := slices.IndexFunc(head.Requests, func(h Request) bool { return h.Label() == r.Label() })
		pairs[i] = [2]Request{r, head.Requests[j]}
		weights[0], weights[1] = weights[0]+r.Weight, weights[1]+head.Requests[j].Weight
	}
	reweighed := slices.ContainsFunc(pairs, func(p [2]Request) bool {
		return p[0].Weight*weights[1] != p[1].Weight*weights[0]
	})
	for _, p := range pairs {
		if reweighed && p[0].Weight != p[1].Weight || content(p[0]) != content(p[1]) {
			changed = append(changed, p[0].Label())
		}
	}
	return dropped, added, changed
}

// withoutRequests separates requests by whether others have their name too.
func withoutRequests(all, others []Request) (names []string, both []Request) {
	for _, r := range all {
		if slices.ContainsFunc(others, func(o Request) bool { return o.Label() == r.Label() }) {
			both = append(both, r)
		} else {
			names = append(names, r.Label())
		}
	}
	return names, both
}

// content is all of a request but its weight.
func content(r Request) string {
	r.Weight = 0
	text, err := json.Marshal(r)
	if err != nil {
		panic(err) // it came from JSON
	}
	return string(text)
}
