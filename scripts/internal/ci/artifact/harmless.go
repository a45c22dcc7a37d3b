package artifact

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"fairstream/scripts/internal/judge/record"
)

// most is how much of a text from outside is shown.
const most = 300

// Harmless makes any text one bounded line of printable ASCII without a
// backtick. Between backticks it is shown as it is by Markdown: no markup, no
// link, no mention. It cannot end its line of a GITHUB_OUTPUT either.
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

// bounded cuts a text that an error quotes, so that what the error says
// after it is not cut off.
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

// neutralise makes reasons harmless: they hold what a failing
// server printed, which is anything, and an honest job must not be refused for
// it. All else in a record is refused rather than changed.
func neutralise(r *record.Record) {
	for _, reasons := range []*[]string{&r.Why, &r.Conditions.Disturbed} {
		for i, why := range *reasons {
			(*reasons)[i] = Harmless(why)
		}
		if *reasons == nil {
			*reasons = []string{} // null says the same; one form is enough
		}
	}
	r.Started = r.Started.UTC()
}

// Quoted is a copy of accepted records in which reasons, of a status or against
// a round, stand in code spans. What verdicts rest on is as it was.
func Quoted(records []record.Record) []record.Record {
	quoted := slices.Clone(records)
	for i := range quoted {
		r := &quoted[i]
		r.Why, r.Conditions.Disturbed = spans(r.Why), spans(r.Conditions.Disturbed)
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

// Shown is a copy of accepted records for Markdown: every text that a job chose
// freely stands in a code span.
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
				versions[component] = span(version) // the component is of a plain form
			}
		}
	}
	return shown
}

func span(text string) string {
	if text = Harmless(text); text == "" {
		return "?" // an empty code span is none
	}
	return "`" + text + "`"
}
