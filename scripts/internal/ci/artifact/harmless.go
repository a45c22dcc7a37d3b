package artifact

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"fairstream/scripts/internal/judge/record"
)

// most characters of an untrusted text are shown.
const most = 300

// Harmless turns any text into one short line of printable ASCII without a backtick. Markdown shows it
// unchanged between backticks: without markup, link or mention. It cannot end its line in GITHUB_OUTPUT
// either.
func Harmless(text string) string {
	var b strings.Builder
	space := false
	for _, r := range text {
		switch {
		case r == ' ' || r == '\n' || r == '\t' || r == '\r':
			space = b.Len() > 0
			continue
		case r == '`':
			r = '\''
		case r < ' ' || r > '~':
			r = '?'
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		b.WriteRune(r)
		if b.Len() > most {
			return b.String()[:most] + "..."
		}
	}
	return b.String()
}

// bounded shortens a text that an error quotes, so that the rest of the error stays visible.
func bounded(text string) string {
	const most = 60
	if len(text) <= most {
		return text
	}
	for n := most; ; n-- {
		if utf8.RuneStart(text[n]) {
			return text[:n] + "..."
		}
	}
}

// texts are the lists of any text in a record: reasons, and the names of requests.
func texts(r *record.Record) []*[]string {
	s := &r.Server
	return []*[]string{&r.Why, &r.Conditions.Disturbed, &s.LeftOut, &s.Dropped, &s.Added, &s.Changed, &s.Packages}
}

// names are those of requests, and of a script's checks and thresholds.
func names(r *record.Record) (all []*string) {
	for i := range r.Requests {
		all = append(all, &r.Requests[i].Name)
	}
	for i := range r.Outcomes {
		all = append(all, &r.Outcomes[i].Name)
	}
	return all
}

// neutralise makes reasons and the names of requests harmless. Reasons quote the output of a failing server, so honest jobs upload any
// text there. Other texts are refused instead of changed.
func neutralise(r *record.Record) {
	for _, reasons := range texts(r) {
		for i, why := range *reasons {
			(*reasons)[i] = Harmless(why)
		}
	}
	for _, reasons := range []*[]string{&r.Why, &r.Conditions.Disturbed} { // records may lack the others
		if *reasons == nil {
			*reasons = []string{} // null and an empty list mean the same
		}
	}
	for _, name := range names(r) {
		*name = Harmless(*name)
	}
	r.Started = r.Started.UTC()
}

// Quoted copies accepted records and puts their reasons and names of requests into code spans. It changes nothing that a verdict
// depends on.
func Quoted(records []record.Record) []record.Record {
	quoted := slices.Clone(records)
	for i := range quoted {
		for _, reasons := range texts(&quoted[i]) {
			*reasons = spans(*reasons)
		}
		r := &quoted[i]
		r.Requests, r.Outcomes = slices.Clone(r.Requests), slices.Clone(r.Outcomes)
		for _, name := range names(r) {
			*name = span(*name)
		}
	}
	return quoted
}

func spans(texts []string) []string {
	texts = slices.Clone(texts)
	for i := range texts {
		texts[i] = span(texts[i])
	}
	return texts
}

// Shown copies accepted records for Markdown, with every text of a job in a code span.
func Shown(records []record.Record) []record.Record {
	shown := Quoted(records)
	for i := range shown {
		r := &shown[i]
		r.Run.ID = span(r.Run.ID)
		for _, text := range []**string{&r.Host.CPU, &r.Host.OS, &r.Host.Kernel} {
			if *text != nil {
				s := span(**text)
				*text = &s
			}
		}
		r.Tools, r.Server.Versions = maps.Clone(r.Tools), maps.Clone(r.Server.Versions)
		for _, versions := range []map[string]string{r.Tools, r.Server.Versions} {
			for component, version := range versions {
				versions[component] = span(version) // the component has a plain form
			}
		}
	}
	return shown
}

func span(text string) string {
	if text = Harmless(text); text == "" {
		return "?" // Markdown has no empty code span
	}
	return "`" + text + "`"
}
