package common

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Directives are words of the form name=value in a request. They control one answer. In a message
// they are marked, as @name=value, and stand anywhere, in any order. Servers pass them on without
// knowing them, so one running stub serves every test. A workload has its own, by their names. Each
// sets one field of S from its text.
//
// Every workload has these, which set a Script:
//
//	@id=NAME     keep this request in the journal under NAME
//	@tally=NAME  count the tokens that are written under NAME, in GET /stats, and the gaps between turns
//	@hold=1      hold each event back until POST /release/ID allows it (needs @id=ID)
type Directives[S any] map[string]func(*S, string) error

// A Script is what the directives of every workload control. The zero value asks for nothing.
type Script struct {
	ID, Tally string
	Hold      bool
}

// With adds the directives of every workload to those of one. of returns the Script in an S.
func (d Directives[S]) With(of func(*S) *Script) Directives[S] {
	all := Directives[S]{
		"id":    func(s *S, v string) (err error) { of(s).ID, err = Name(v); return },
		"tally": func(s *S, v string) (err error) { of(s).Tally, err = tallyName(v); return },
		"hold":  func(s *S, v string) (err error) { of(s).Hold, err = Yes(v); return },
	}
	maps.Copy(all, d)
	return all
}

// Read sets a script from the directives of a message, and ignores other text.
func (d Directives[S]) Read(s *S, message string) error {
	for word := range strings.FieldsSeq(message) {
		key, value, ok := strings.Cut(word, "=")
		if !ok || !strings.HasPrefix(key, "@") {
			continue
		}
		if err := d.Set(s, "@", key[1:], value); err != nil {
			return err
		}
	}
	return nil
}

// Set sets a script from one directive. mark stands before the names in errors. An unknown or
// malformed directive is an error, since a test with another script than it asked for proves
// nothing.
func (d Directives[S]) Set(s *S, mark, name, value string) error {
	set, ok := d[name]
	if !ok {
		return fmt.Errorf("directive %s%s: unknown; known are %s", mark, name, d.known(mark))
	}
	if err := set(s, value); err != nil {
		return fmt.Errorf("directive %s%s=%s: %w", mark, name, value, err)
	}
	return nil
}

func (d Directives[S]) known(mark string) string {
	var names []string
	for n := range d {
		names = append(names, mark+n)
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// Check refuses a script that could never run. mark is that of Set.
func (s Script) Check(mark string) error {
	if s.Hold && s.ID == "" {
		return fmt.Errorf("directive %[1]shold: needs %[1]sid, which releases its events", mark)
	}
	return nil
}

// MaxWait is the longest wait. It catches mistakes, and not attackers.
const MaxWait = time.Hour

// Count reads a whole number.
func Count(v string, most int) (int, error) {
	n, err := strconv.Atoi(v)
	if err != nil || n < 0 || n > most {
		return 0, fmt.Errorf("want a whole number from 0 to %d", most)
	}
	return n, nil
}

// Wait reads a duration.
func Wait(v string) (time.Duration, error) {
	d, err := time.ParseDuration(v)
	if err != nil || d < 0 || d > MaxWait {
		return 0, fmt.Errorf("want a duration from 0s to %v, such as 50ms", MaxWait)
	}
	return d, nil
}

// A tally may be of one side of a comparison: go-http@base.
var tallyForm = regexp.MustCompile(`^[A-Za-z0-9_@-]{1,64}$`)

func tallyName(v string) (string, error) {
	if !tallyForm.MatchString(v) {
		return "", fmt.Errorf("want 1 to 64 letters, digits, -, _ or @")
	}
	return v, nil
}

var nameForm = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// Name reads an @id.
func Name(v string) (string, error) {
	if !nameForm.MatchString(v) {
		return "", fmt.Errorf("want 1 to 64 letters, digits, - or _")
	}
	return v, nil
}

// Yes reads 0 or 1.
func Yes(v string) (bool, error) {
	if v != "0" && v != "1" {
		return false, errors.New("want 0 or 1")
	}
	return v == "1", nil
}

// Failing reads the status of an answer that failed.
func Failing(v string) (int, error) {
	n, err := strconv.Atoi(v)
	if err != nil || n < 400 || n > 599 {
		return 0, errors.New("want a status from 400 to 599")
	}
	return n, nil
}

// OneOf reads a key of a map.
func OneOf(v string, known map[string]string) (string, error) {
	if _, ok := known[v]; ok {
		return v, nil
	}
	return "", fmt.Errorf("want one of %s", strings.Join(slices.Sorted(maps.Keys(known)), ", "))
}
