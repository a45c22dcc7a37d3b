package record

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	generate "github.com/invopop/jsonschema"
	validate "github.com/santhosh-tekuri/jsonschema/v6"

	"fairstream/scripts/internal/testfile"
)

const schemaFile = "schema.json"

// generated is the JSON Schema of a record, from the types and from the tables.
func generated(t *testing.T) []byte {
	t.Helper()
	r := generate.Reflector{Anonymous: true, DoNotReference: true}
	r.Mapper = func(typ reflect.Type) *generate.Schema {
		if typ != reflect.TypeFor[Metrics]() {
			return nil
		}
		all := &generate.Schema{Description: "Those of the kind of the workload."}
		for _, kind := range kinds {
			metrics := &generate.Schema{Title: "Metrics of a " + kind, Type: "object", Properties: generate.NewProperties(), AdditionalProperties: generate.FalseSchema}
			for _, m := range tables[kind] {
				metrics.Properties.Set(m.Name, nullable(&generate.Schema{
					Type: "number", Description: fmt.Sprintf("%s (%s); source: %s", m.Means, m.Unit, m.Source),
				}))
				if !slices.Contains(later, m.Name) {
					metrics.Required = append(metrics.Required, m.Name)
				}
			}
			all.OneOf = append(all.OneOf, metrics)
		}
		return all
	}
	schema := r.Reflect(&Record{})
	schema.Title, schema.Description = "Record", "The facts of one target in one round and scenario; null is unknown. A line of run.jsonl."
	pointers(schema, reflect.TypeFor[Record]())
	pointers(property(schema, "requests").Items, reflect.TypeFor[Request]())
	property(schema, "schema").Const = Schema
	property(schema, "status").Enum = []any{OK, Warning, Invalid}
	data, err := json.MarshalIndent(schema, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return append(data, '\n')
}

func property(s *generate.Schema, name string) *generate.Schema {
	p, _ := s.Properties.Get(name)
	return p
}

func nullable(s *generate.Schema) *generate.Schema {
	return &generate.Schema{Description: s.Description, OneOf: []*generate.Schema{{Type: s.Type}, {Type: "null"}}}
}

// pointers lets what Go has as a pointer be null: the generator does not.
func pointers(s *generate.Schema, typ reflect.Type) {
	for i := range typ.NumField() {
		field := typ.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if field.Anonymous {
			pointers(s, field.Type)
			continue
		}
		switch of := property(s, name); {
		case field.Type.Kind() == reflect.Pointer:
			s.Properties.Set(name, nullable(of))
		case field.Type.Kind() == reflect.Struct && of.Properties != nil && of.Properties.Len() > 0:
			pointers(of, field.Type)
		}
	}
}

func TestTheSchemaIsThatOfTheTypes(t *testing.T) {
	testfile.Check(t, schemaFile, generated(t))
}

// Written records fit the schema. Records that do not fit are refused by it.
func TestRecordsFitTheSchema(t *testing.T) {
	schema, err := validate.NewCompiler().Compile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	golden, err := os.ReadFile("testdata/mixed.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	web, err := os.ReadFile("testdata/web.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	check := func(line string) error {
		v, err := validate.UnmarshalJSON(strings.NewReader(line))
		if err != nil {
			t.Fatal(err)
		}
		return schema.Validate(v)
	}
	for line := range strings.Lines(string(golden) + string(web)) {
		if err := check(line); err != nil {
			t.Errorf("%v: %s", err, line)
		}
	}
	line, _, _ := strings.Cut(string(golden), "\n")
	for _, edit := range [][2]string{
		{`"schema":7`, `"schema":8`}, {`"workload":"relay"`, `"workload":7`}, {`"workload":"relay",`, ``}, {`"round":1`, `"round":"1"`}, {`"streams":`, `"stream":`}, {`"status":"`, `"status":"very `},
		{`"cores":`, `"cars":`}, {`"quick":true`, `"quick":null`}, {`"commit":null`, `"commit":7`},
	} {
		if edited := strings.Replace(line, edit[0], edit[1], 1); edited == line || check(edited) == nil {
			t.Errorf("%s fits the schema, or is not there", edit[1])
		}
	}
}
