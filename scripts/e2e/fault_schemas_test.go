package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
)

// Another version of this tool writes another schema, with more or fewer keys. Every reader then names the
// schema, and not an unknown key.
func TestOtherSchemasAreNamed(t *testing.T) {
	t.Parallel()
	records, _, _, err := record.FromRaw("internal/judge/record/testdata/mixed")
	if err != nil {
		t.Fatal(err)
	}
	var lines, events bytes.Buffer
	err = record.Write(&lines, records[:1])
	if err == nil {
		err = verdict.WriteEvents(&events, []verdict.Event{{Schema: verdict.EventSchema}})
	}
	shown, e := os.ReadFile("internal/judge/record/testdata/mixed.details.json")
	if err != nil || e != nil {
		t.Fatal(err, e)
	}
	for _, c := range []struct {
		name   string
		schema int
		text   string // one value
		read   func(string) error
	}{
		{"record", record.Schema, lines.String(), func(text string) error { _, err := record.Read(strings.NewReader(text)); return err }},
		{"details", record.DetailsSchema, string(shown), func(text string) error { _, err := record.ReadDetails(strings.NewReader(text)); return err }},
		{"flag", verdict.EventSchema, strings.Trim(events.String(), "[]\n"), func(text string) error { _, err := verdict.ReadEvents(strings.NewReader("[" + text + "]")); return err }},
	} {
		if err := c.read(c.text); err != nil {
			t.Errorf("%s: as it is: %v", c.name, err)
		}
		for _, schema := range []int{c.schema - 1, c.schema + 1} {
			if schema == 0 {
				continue // there never was one
			}
			for keys, edit := range map[string]func(map[string]json.RawMessage){
				"the same keys": func(map[string]json.RawMessage) {},
				"a key more":    func(of map[string]json.RawMessage) { of["mood"] = json.RawMessage(`"new"`) },
				"a key fewer": func(of map[string]json.RawMessage) {
					for key := range of {
						if key != "schema" {
							delete(of, key)
							return
						}
					}
				},
				"another kind of all": func(of map[string]json.RawMessage) {
					for key := range of {
						of[key] = json.RawMessage(`[true]`)
					}
				},
			} {
				var of map[string]json.RawMessage
				if err := json.Unmarshal([]byte(c.text), &of); err != nil {
					t.Fatalf("%s: %v", c.name, err)
				}
				edit(of)
				of["schema"] = json.RawMessage(fmt.Sprint(schema))
				text, err := json.Marshal(of)
				if err != nil {
					t.Fatal(err)
				}
				want := fmt.Sprintf("schema %d; this tool reads schema %d", schema, c.schema)
				if err := c.read(string(text)); err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("%s of schema %d with %s: error %v, want %q", c.name, schema, keys, err, want)
				}
			}
		}
	}
}
