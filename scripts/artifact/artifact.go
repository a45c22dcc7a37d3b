// Package artifact reads what the legs of a workflow uploaded, as bytes that an
// attacker may have written: zips in, records that fit the plan out. It unpacks
// nothing to disk and trusts no name, size or figure that it has not checked.
//
// An artifact is taken whole or refused whole. What it may say is bounded by
// what was asked for: main's code knows the plan, the artifact does not get to
// change it.
package artifact

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"fairstream/scripts/manifest"
	"fairstream/scripts/plan"
	"fairstream/scripts/record"
)

// A Result is what the artifacts of one workflow run amount to.
type Result struct {
	Records map[string][]record.Record // by server; what was accepted
	Refused []Refusal
	Missing []string // "go-http", or "go-http: stress round 2": planned and not accepted
}

// A Refusal says which artifact was not taken, and why. Both texts are harmless.
type Refusal struct{ Artifact, Why string }

// All is every accepted record, by server, side, scenario and round.
func (r Result) All() []record.Record {
	var all []record.Record
	for _, server := range slices.Sorted(maps.Keys(r.Records)) {
		all = append(all, r.Records[server]...)
	}
	return all
}

// Read reads the artifacts in dir. Its error means that dir cannot be read;
// what is wrong with an artifact is a Refusal.
func Read(dir string, p plan.Plan, servers []manifest.Server) (Result, error) {
	result := Result{Records: map[string][]record.Record{}}
	found, err := find(dir)
	if err == errMany { // nobody can tell which are the real ones
		result.Refused = []Refusal{{"all", err.Error()}}
		found, err = nil, nil
	}
	if err != nil {
		return Result{}, fmt.Errorf("artifact: %w", err)
	}
	claims := map[string][]claim{} // server to the artifacts that are of it
	for _, name := range found {
		records, err := one(dir, name, p, servers)
		if err != nil {
			result.Refused = append(result.Refused, Refusal{Harmless(name), Harmless(err.Error())})
			continue
		}
		server := records[0].Server.Name
		_, attempt := leg(name)
		claims[server] = append(claims[server], claim{name, attempt, records})
	}
	for server, of := range claims {
		// A leg that was run again has one of each attempt.
		first, last := of[0].attempt, of[0].attempt
		for _, c := range of {
			first, last = min(first, c.attempt), max(last, c.attempt)
		}
		if first > 0 {
			of = slices.DeleteFunc(of, func(c claim) bool { return c.attempt < last })
		}
		if len(of) == 1 {
			result.Records[server] = of[0].records
			continue
		}
		for _, c := range of { // nobody can tell which of two is the real one
			result.Refused = append(result.Refused, Refusal{Harmless(c.artifact), fmt.Sprintf("%d artifacts have records of %s; want one", len(of), server)})
		}
	}
	slices.SortFunc(result.Refused, func(a, b Refusal) int { return strings.Compare(a.Artifact, b.Artifact) })
	result.Missing = missing(p, result.Records)
	return result, nil
}

// one reads one artifact.
func one(dir, name string, p plan.Plan, servers []manifest.Server) ([]record.Record, error) {
	data, err := readFile(dir, name)
	if err != nil {
		return nil, err
	}
	text, err := unzip(data)
	if err != nil {
		return nil, err
	}
	records, err := parse(text, p, servers)
	if err != nil {
		return nil, err
	}
	// The directory is named by the workflow, the records by the leg.
	if server, _ := leg(name); server != "" && server != records[0].Server.Name {
		return nil, fmt.Errorf("records of %s in the artifact of %q", records[0].Server.Name, server)
	}
	return records, nil
}

// A claim is an artifact that has records of a server.
type claim struct {
	artifact string
	attempt  int // of the workflow run that uploaded it; 0 when its name does not say
	records  []record.Record
}

// legForm is how the workflow names the artifact of a leg: server, attempt.
var legForm = regexp.MustCompile(`^records-(.+)-([0-9]{1,6})/`)

// leg is what the name of an artifact's directory says; a single artifact has
// no directory.
func leg(name string) (server string, attempt int) {
	if m := legForm.FindStringSubmatch(name); m != nil {
		attempt, _ = strconv.Atoi(m[2]) // digits, and few
		return m[1], attempt
	}
	return "", 0
}

// parse turns the text of one artifact into records, all of one server.
func parse(text []byte, p plan.Plan, servers []manifest.Server) ([]record.Record, error) {
	lines := bytes.Split(bytes.TrimSuffix(text, []byte("\n")), []byte("\n"))
	most := len(planned(p))
	if len(lines) > most {
		return nil, fmt.Errorf("%s: %d lines; the plan has %d records for a server", member, len(lines), most)
	}
	for i, line := range lines {
		if len(line) > maxLine {
			return nil, fmt.Errorf("%s: line %d: %d bytes; want at most %d", member, i+1, len(line), maxLine)
		}
		if err := strict(line); err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", member, i+1, err)
		}
	}
	records, err := record.Read(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", member, err)
	}
	if len(records) == 0 {
		return nil, errors.New(member + ": no records")
	}
	seen := map[slot]bool{}
	for i := range records {
		r := &records[i]
		if err := check(*r, p, servers); err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", member, i+1, err)
		}
		if r.Server.Name != records[0].Server.Name {
			return nil, fmt.Errorf("%s: line %d: records of %s and of %s; want one server in an artifact", member, i+1, records[0].Server.Name, r.Server.Name)
		}
		if seen[of(*r)] {
			return nil, fmt.Errorf("%s: line %d: %s is there twice", member, i+1, of(*r))
		}
		seen[of(*r)] = true
		neutralise(r)
	}
	slices.SortStableFunc(records, func(a, b record.Record) int { return of(a).compare(of(b)) })
	return records, nil
}
