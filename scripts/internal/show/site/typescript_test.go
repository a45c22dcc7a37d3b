package site_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"reflect"
	"strings"
	"testing"
	"time"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/show/site"
	"fairstream/scripts/internal/testfile"
)

// typesFile has the types of the site's data for its pages.
const typesFile = "../../../../gh-pages/src/data/types.ts"

// forms are the files of the site, and what stands in them.
var forms = []any{
	site.Manifest{}, site.Commits{}, site.Series{}, site.Runs{}, site.Figures{}, record.Record{}, record.Details{},
}

// renamed are types whose name in Go is one of several, or too short outside of its package.
var renamed = map[reflect.Type]string{
	reflect.TypeFor[record.Record](): "Rec", reflect.TypeFor[record.Run](): "RunFacts", reflect.TypeFor[raw.Server](): "RunServer",
	reflect.TypeFor[record.Request](): "RequestFigures",
	reflect.TypeFor[record.Status]():  "RecordStatus", reflect.TypeFor[record.Curve](): "MaybeCurve",
}

// nullable are lists that are null without entries.
var nullable = map[string]bool{"raw.Server.Versions": true, "raw.Server.MissingChecks": true, "record.Conditions.Disturbed": true}

// values are the values of types of text and numbers.
var values = map[reflect.Type]string{
	reflect.TypeFor[record.Status](): quoted(record.OK, record.Warning, record.Invalid),
	reflect.TypeFor[record.Curve]():  "number[] | null",
}

// narrow are the types of fields that hold a few values only.
var narrow = map[string]string{
	"site.Metric.Better": "'higher' | 'lower' | ''", "site.Column.Status": "(0 | 1 | 2)[]",
}

func quoted[T ~string](all ...T) string {
	var texts []string
	for _, v := range all {
		texts = append(texts, fmt.Sprintf("'%s'", string(v)))
	}
	return strings.Join(texts, " | ")
}

// Pages are compiled against the forms of Go, so a key that one side lacks is an error there.
func TestTypesOfThePages(t *testing.T) {
	w := writer{t: t, comments: map[string]string{}, done: map[reflect.Type]bool{}}
	w.line("// Made from the types of Go by `go test ./internal/show/site -run TypesOfThePages -update`; do not edit.\n")
	for _, form := range forms {
		w.name(reflect.TypeOf(form))
	}
	for len(w.next) > 0 {
		of := w.next[0]
		w.next = w.next[1:]
		w.declare(of)
	}
	testfile.Check(t, typesFile, []byte(w.text.String()))
}

// A writer writes types as TypeScript, each once.
type writer struct {
	t        *testing.T
	text     strings.Builder
	comments map[string]string // by PACKAGE.TYPE and PACKAGE.TYPE.FIELD
	done     map[reflect.Type]bool
	next     []reflect.Type
}

func (w *writer) line(text string) { w.text.WriteString(text + "\n") }

// name is a type as TypeScript; a type with a name is declared later.
func (w *writer) name(of reflect.Type) string {
	switch {
	case of == reflect.TypeFor[time.Time]():
		return "string"
	case of.Kind() == reflect.Pointer:
		return w.name(of.Elem()) + " | null"
	case values[of] != "" || of.Kind() == reflect.Struct:
		if !w.done[of] {
			w.done[of] = true
			w.next = append(w.next, of)
		}
		return nameOf(of)
	}
	switch of.Kind() {
	case reflect.Slice:
		if inner := w.name(of.Elem()); strings.Contains(inner, " | ") {
			return "(" + inner + ")[]"
		} else {
			return inner + "[]"
		}
	case reflect.Array:
		return "[" + strings.Join(strings.Split(strings.Repeat(w.name(of.Elem())+"\n", of.Len()-1)+w.name(of.Elem()), "\n"), ", ") + "]"
	case reflect.Map:
		return "Record<string, " + w.name(of.Elem()) + ">"
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "boolean"
	case reflect.Int, reflect.Int64, reflect.Uint64, reflect.Float64:
		return "number"
	}
	w.t.Fatalf("%s: no TypeScript for it", of)
	return ""
}

func nameOf(of reflect.Type) string {
	if name := renamed[of]; name != "" {
		return name
	}
	return of.Name()
}

func (w *writer) declare(of reflect.Type) {
	w.read(of)
	key := path.Base(of.PkgPath()) + "." + of.Name()
	if comment := w.comments[key]; comment != "" {
		w.line(wrapped("// ", comment))
	}
	if values[of] != "" {
		w.line(fmt.Sprintf("export type %s = %s;\n", nameOf(of), values[of]))
		return
	}
	parents := ""
	var fields []string
	for field := range fieldsOf(of) {
		if field.Anonymous {
			parents += " extends " + w.name(field.Type)
			continue
		}
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if strings.Contains(options, "omitempty") {
			name += "?"
		}
		comment := w.comments[key+"."+field.Name]
		kind := narrow[key+"."+field.Name]
		if kind == "" {
			kind = w.name(field.Type)
		}
		if nullable[key+"."+field.Name] {
			kind += " | null"
		}
		one := fmt.Sprintf("  %s: %s;", name, kind)
		switch {
		case len(one)+len(comment) > 110:
			fields = append(fields, wrapped("  // ", comment))
		case comment != "":
			one += " // " + comment
		}
		fields = append(fields, one)
	}
	w.line(fmt.Sprintf("export interface %s%s {\n%s\n}\n", nameOf(of), parents, strings.Join(fields, "\n")))
}

// wrapped is a comment in lines of at most 110 characters.
func wrapped(begin, comment string) string {
	text := begin
	width := len(begin)
	for word := range strings.FieldsSeq(comment) {
		if width+len(word) > 110 {
			text, width = strings.TrimRight(text, " ")+"\n"+begin, len(begin)
		}
		text += word + " "
		width += len(word) + 1
	}
	return strings.TrimRight(text, " ")
}

// fieldsOf are the fields of a struct that JSON has.
func fieldsOf(of reflect.Type) func(func(reflect.StructField) bool) {
	return func(yield func(reflect.StructField) bool) {
		for i := range of.NumField() {
			if f := of.Field(i); f.IsExported() && !yield(f) {
				return
			}
		}
	}
}

// read takes the comments of a type's package from its source.
func (w *writer) read(of reflect.Type) {
	at, pkg := of.PkgPath(), path.Base(of.PkgPath())
	if _, known := w.comments[pkg]; known {
		return
	}
	w.comments[pkg] = ""
	_, inside, ok := strings.Cut(at, "scripts/internal/")
	if !ok {
		return
	}
	parsed, err := parser.ParseDir(token.NewFileSet(), "../../"+inside, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		w.t.Fatal(err)
	}
	say := func(key string, groups ...*ast.CommentGroup) {
		for _, g := range groups {
			if text := strings.Join(strings.Fields(g.Text()), " "); text != "" {
				w.comments[key] = text
			}
		}
	}
	for _, p := range parsed {
		ast.Inspect(p, func(n ast.Node) bool {
			d, ok := n.(*ast.GenDecl)
			if !ok || d.Tok != token.TYPE {
				return true
			}
			for _, spec := range d.Specs {
				s := spec.(*ast.TypeSpec)
				say(pkg+"."+s.Name.Name, d.Doc)
				if fields, ok := s.Type.(*ast.StructType); ok {
					for _, f := range fields.Fields.List {
						for _, name := range f.Names {
							say(pkg+"."+s.Name.Name+"."+name.Name, f.Doc, f.Comment)
						}
					}
				}
			}
			return false
		})
	}
}
