package plan

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fairstream/scripts/internal/testfile"
)

func TestOnlyListedPeopleStartAWorkflowByHand(t *testing.T) {
	w := newWorld(t)
	dispatch := func(sender, actor string, pull bool) Event {
		e := w.event("workflow_dispatch", `{"inputs": {}, "sender": {"login": "`+sender+`"}}`)
		if pull {
			e.JSON = []byte(`{"inputs": {"pr": "7", "sha": "` + w.topic + `"}, "sender": {"login": "` + sender + `"}}`)
		}
		e.Actor = actor
		return e
	}
	for _, c := range []struct {
		people        []string
		sender, actor string
		may           bool
	}{
		{nil, "mallory", "mallory", true},
		{[]string{"ann"}, "ann", "ann", true},
		{[]string{"Ann", "bob"}, "ann", "BOB", true},
		{[]string{"ann"}, "mallory", "mallory", false},
		{[]string{"ann"}, "ann", "mallory", false}, // mallory ran it again
		{[]string{"ann"}, "mallory", "ann", false},
		{[]string{"ann"}, "", "ann", false},
		{[]string{"ann"}, "ann", "", false},
	} {
		w.People = c.people
		for _, pull := range []bool{false, true} {
			p, err := w.Make(t.Context(), dispatch(c.sender, c.actor, pull))
			if _, refused := err.(InputError); refused == c.may || c.may && (err != nil || len(p.Servers) == 0) {
				t.Errorf("%q: %s, then %s: %v", c.people, c.sender, c.actor, err)
			}
		}
		// What nobody starts by hand is not asked.
		if _, err := w.Make(t.Context(), w.event("push", `{}`)); err != nil {
			t.Errorf("%q: push: %v", c.people, err)
		}
	}
}

func TestPeopleAreReadStrictly(t *testing.T) {
	dir := t.TempDir()
	if people, err := ReadPeople(dir); err != nil || people != nil {
		t.Errorf("without a file: %q, %v", people, err)
	}
	if err := os.Mkdir(filepath.Join(dir, ".github"), 0o755); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string][]string{
		"":                                      nil,
		"# nobody\n\n":                          nil,
		"ann # of the core\r\n bob-2\nx_corp\n": {"ann", "bob-2", "x_corp"},
		"ann bob\n":                             {"error"},
		"@ann\n":                                {"error"},
		"ann,bob":                               {"error"},
	} {
		testfile.Write(t, filepath.Join(dir, PeopleFile), text)
		people, err := ReadPeople(dir)
		if slices.Equal(want, []string{"error"}) {
			if err == nil || !strings.Contains(err.Error(), "want one login a line") {
				t.Errorf("%q: %q, %v", text, people, err)
			}
		} else if err != nil || !slices.Equal(people, want) {
			t.Errorf("%q: %q, %v, want %q", text, people, err, want)
		}
	}
	// Ours can be read.
	if _, err := ReadPeople("../../../.."); err != nil {
		t.Error(err)
	}
}
