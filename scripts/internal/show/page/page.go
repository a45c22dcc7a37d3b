// Package page writes the pages of the site as HTML: all that a reader sees without a script. It takes texts, tables and
// pictures. It knows nothing of records and decides nothing. A script of the site adds to a page, and draws nothing a second time.
package page

import (
	"bytes"
	"embed"
	"html/template"
	"io"
	"strings"

	"fairstream/scripts/internal/show/svg"
)

//go:embed *.html
var sources embed.FS

var templates = template.Must(template.New("").Funcs(template.FuncMap{
	"code": code,
	"place": func(name, title, home, here string) any {
		href := home + name + "/"
		if name == "results" {
			href = home
		}
		return struct {
			Title, Href string
			Current     bool
		}{title, href, name == here}
	},
	"inline": func(p svg.Picture) template.HTML { return template.HTML(p.Inline()) },
}).ParseFS(sources, "*.html"))

// code is a text in which names stand between backticks.
func code(text string) template.HTML {
	var b strings.Builder
	for i, part := range strings.Split(text, "`") {
		part = template.HTMLEscapeString(part)
		if i%2 == 1 {
			part = "<code>" + part + "</code>"
		}
		b.WriteString(part)
	}
	return template.HTML(b.String())
}

// A Frame is what surrounds a page.
type Frame struct {
	Title, Description string
	Here               string // its name in the navigation: results, history, comparisons or method; "": it has none
	Root, Home         string // the ways to the begin of the site, and to that of its workload
	Style              string // the style sheet, from the root
	Scripts            []string
	Workload           string
	Workloads          []Link // the same page of each; fewer than two: no choice
	AsOf               string // the age and size of the data
	Image              string // for previews of links; "": none
	Newest             string // begin of the newest record, for a script that says how old it is; "": of no history
	Broken             []Broken
	BrokenCount        int    // of all, since Broken names a few
	Version            string // of the project
	History, Code      Link
	Body               template.HTML
}

// A Broken is a file that cannot be read.
type Broken struct{ File, Why string }

// A Link is a text that leads somewhere. One without an address is text.
type Link struct{ Text, Href string }

// A Table has a line for each row. Rows have a cell for each head, and begin with their name.
type Table struct {
	Caption string
	Head    []Head
	Rows    []Row
}

// A Head is that of a column. Note is below its label: a scenario, or a unit.
type Head struct {
	Label, Note string
	Words       bool // the column has words instead of figures
}

// A Row begins with its name. Apart marks direct.
type Row struct {
	ID    string // for links to it; "": none
	Name  Link
	Class string
	Apart bool
	Cells []Cell
}

// A Cell is a text and a note beside it, such as how many times the best of its column it is.
type Cell struct {
	Text, Note string
	Class      string
	Links      []Link
	Best       bool
}

// A Card is the answer to one question, with its picture.
type Card struct {
	Question, Winners, Sentence string
	Picture                     svg.Picture
}

// Results is the first page: the answer, what changed on main, and all servers.
type Results struct {
	Title   string
	Lead    string
	Machine string
	Home    string // "": other pages are unknown
	Notices []string
	Cards   []Card
	Files   []Link
	Embed   string   // HTML that shows the picture elsewhere; "": the site's address is not known
	Notes   []string // how to read it
	Main    *Main    // nil: without a history
	Table   Table
	// Frameworks is what frameworks add to plain servers; without rows where the run has none.
	Frameworks Table
	Functions  []Functions // of the servers that perf sampled
	More       []Link      // other pages about the same run
	Others     []Link      // other runs of all servers
}

// Functions are those of a server that changed, or that take most time, by samples of perf.
type Functions struct {
	Title, Note, Caption string // Caption says how to read the picture
	Table                Table
	Flame                svg.Picture
}

// Main is what changed on the main branch.
type Main struct {
	Class, Open, Sentence string
	Newest                Link // commit
	Ribbon                svg.Picture
	Events                Table
	History               string // address
}

// History is the trend of one server among the others, and all events.
type History struct {
	Title, Lead string
	Metrics     []Choice
	Scenarios   []Choice
	Servers     []Choice
	Series      map[string][]string // which metrics each scenario has
	Commits     string              // file
	Year        *svg.Picture        // of releases, where there is no history; nil: none
	Picture     *svg.Picture
	Caption     string
	Files       []Link
	Notes       []string
	Events      Table
	More        []Link
}

// A Choice is one of several.
type Choice struct {
	Value, Text string
	Scale       float64 // by what its values are multiplied to be shown; 0: it has none
	Better      string  // "up is better"; "": neither is
	Chosen      bool
}

// Comparison is base against head, of each server.
type Comparison struct {
	Title   string // of a page that has the comparison alone
	Notices []string
	Servers []Verdict
	Files   []Link
}

// A Verdict is that on one server.
type Verdict struct {
	ID        string
	About     string // server, head against base, when
	Class     string // worse, better, leaning or quiet
	Mark      string
	Says      string // its verdict in a word or two
	Sentence  string
	Detail    string
	Groups    []Group
	Axis      string // its ends in words
	Todo      []string
	Discarded []string
	Requests  Table
	More      string
	Functions *Functions // nil: perf sampled none
	// Outcomes are checks and thresholds of the server's own script.
	Outcomes     Table
	MoreOutcomes string
}

// A Group is the changes that say the same.
type Group struct {
	Title, Class string
	Changes      []Change
}

// A Change is that of one metric.
type Change struct {
	Name, Where, Figures string
	Text, Interval, Says string
	Strip                *svg.Picture // nil: its unit has no common axis with others
}

// Comparisons begins with the newest, and lists all.
type Comparisons struct {
	Newest *Comparison // nil: there is none
	All    Table
}

// Method is how figures are measured and judged.
type Method struct {
	Workloads []Workload
	Streams   bool // a workload counts streams
	Units     string
	TieRule   string
	Proven    []Table
	Words     []Word
	Metrics   Table
	Root      string
}

// A Workload is one kind of server and its load.
type Workload struct {
	Name, Does string
	Checks     int
	Upstream   bool
	Shapes     Table
}

// A Word is one of the glossary.
type Word struct{ Word, Means string }

// Write writes a page: a template, with what it shows.
func Write(w io.Writer, f Frame, name string, content any) error {
	body, err := Body(name, content)
	if err != nil {
		return err
	}
	f.Body = body
	return templates.ExecuteTemplate(w, "frame.html", f)
}

// Body is the content of a page without its frame.
func Body(name string, content any) (template.HTML, error) {
	var b bytes.Buffer
	err := templates.ExecuteTemplate(&b, name+".html", content)
	return template.HTML(b.String()), err
}

// Moved writes a page at an old address. It leads on without a script, and with one keeps the query. The workloads are those
// with pages in a folder of their own.
func Moved(w io.Writer, root, to string, workloads []string) error {
	return templates.ExecuteTemplate(w, "moved.html", struct{ Root, To, Workloads string }{root, to, strings.Join(workloads, " ")})
}
