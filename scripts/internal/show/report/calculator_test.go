package report

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/testfile"
)

// Readers have a calculator. In each table that we print or publish, the shown change is shown head over shown base,
// and ranks have the order of their figures. Only rounding lies between.
func TestACalculatorAgrees(t *testing.T) {
	pages := map[string]string{"the ranks of web in a terminal": terminal(t), "a comparison on the site": onSite(t)}
	for _, pattern := range []string{
		"testdata/*.text", "testdata/*.full", "testdata/*.markdown", "../../ci/comment/testdata/*.md", "../../ci/alert/testdata/*.md",
		"../../../../README.md", "../../../../servers/*/RESULTS.md",
	} {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			t.Fatalf("%s: %q, %v; want files", pattern, names, err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			pages[name] = string(text)
		}
	}
	c := calculator{t: t}
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		c.page = name
		c.check(pages[name])
	}
	if c.changes < 100 || c.ranks < 100 || c.spreads < 300 {
		t.Errorf("only %d changes, %d ranks and %d ranges were checked", c.changes, c.ranks, c.spreads)
	}
}

// terminal is a run with ranks, as a terminal shows it.
func terminal(t *testing.T) string {
	records := testfile.Read(t, "../../../../servers/web/results.jsonl", record.Read)
	var text bytes.Buffer
	if err := (Text{Width: logWidth, Full: true}).Write(&text, records); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

var siteRow = regexp.MustCompile(`<span class="figures">(.*) → (.*)</span>.*<strong>(.*)</strong> <small>(.*)</small>`)

// onSite has the cells of the site's comparison as a table.
func onSite(t *testing.T) string {
	data, err := os.ReadFile("../site/testdata/comparison.golden")
	if err != nil {
		t.Fatal(err)
	}
	rows := siteRow.FindAllStringSubmatch(string(data), -1)
	if len(rows) < 10 {
		t.Fatalf("%d cells; want all of a comparison", len(rows))
	}
	table := "| base | head | change | interval |\n"
	for _, of := range rows {
		row := fmt.Sprintf("| %s |\n", strings.Join(of[1:], " | "))
		table += strings.NewReplacer("−", "-", "&#43;", "+", "\u00a0", " ").Replace(row)
	}
	return table
}

type calculator struct {
	t                       *testing.T
	page                    string
	changes, ranks, spreads int
	line, title             string
	head                    []string
	first, last             shown // of a ranking
}

// A shown is what a rounded figure may have been.
type shown struct{ low, high float64 }

var gaps, count = regexp.MustCompile(`\s{2,}|\s*\|\s*`), regexp.MustCompile(`^-?[0-9]+(\.[0-9]+)?`)

// figure reads a figure with some digits after the point; significant digits count where decimals < 0.
func figure(text string, digits, decimals int) (shown, bool) {
	v, err := strconv.ParseFloat(count.FindString(text), 64)
	if err != nil {
		return shown{}, false
	}
	step := math.Pow(10, -float64(decimals))
	if decimals < 0 && v != 0 {
		step = math.Pow(10, math.Floor(math.Log10(math.Abs(v)))-float64(digits-1))
	}
	return shown{v - 0.501*step, v + 0.501*step}, true
}

// decimals of a number in text.
func decimals(text string) int {
	_, after, _ := strings.Cut(count.FindString(text), ".")
	return len(after)
}

func (c *calculator) check(text string) {
	c.head = nil
	for line := range strings.Lines(text) {
		c.line = strings.TrimSpace(line)
		cells := gaps.Split(strings.Trim(c.line, "| "), -1)
		switch {
		case strings.Contains(c.line, "est first"):
			c.title, c.head, c.last = c.line, nil, shown{}
		case c.line == "" && c.title == "", strings.HasPrefix(c.line, "|---"):
		case c.line == "":
			if c.ranks > 0 && c.last.high > 0 {
				c.title, c.last = "", shown{}
			}
		case slices.Contains(cells, "base") && slices.Contains(cells, "change"):
			c.head, c.title = cells, ""
		case c.title != "" && len(cells) > 2:
			c.ranked(cells)
		case c.head != nil && len(cells) == len(c.head):
			c.changed(cells)
		}
		c.ranges()
	}
}

func (c *calculator) wrong(format string, args ...any) {
	c.t.Helper()
	c.t.Errorf("%s: %s\n  %s", c.page, fmt.Sprintf(format, args...), c.line)
}

// ratio reads a change such as "+5.3 %" or "x3.2" as the ratio of head to base.
func ratio(text string) (shown, bool) {
	if after, ok := strings.CutPrefix(text, "x"); ok {
		return figure(after, 3, -1)
	}
	v, ok := figure(strings.TrimPrefix(text, "+"), 0, 1)
	return shown{1 + v.low/100, 1 + v.high/100}, ok
}

// changed checks a row with base, head and change. A change with another unit is head less base.
func (c *calculator) changed(cells []string) {
	at := slices.Index(c.head, "base")
	base, ok := figure(cells[at], 4, -1)
	head, known := figure(cells[at+1], 4, -1)
	if !ok || !known || cells[at+2] == "" {
		return
	}
	c.changes++
	text, interval := cells[at+2], strings.Split(cells[at+3], " to ")
	quotient := shown{head.low / base.high, head.high / base.low}
	of := ratio
	if !strings.HasSuffix(text, "%") && !strings.HasPrefix(text, "x") {
		quotient = shown{head.low - base.high, head.high - base.low}
		of = func(text string) (shown, bool) { return figure(strings.TrimPrefix(text, "+"), 3, -1) }
	}
	change, ok := of(text)
	low, also := of(interval[0])
	high, too := of(interval[len(interval)-1])
	switch {
	case !ok || !also || !too:
		c.wrong("cannot read the change")
	case change.low > quotient.high || change.high < quotient.low:
		c.wrong("a calculator says %.4f to %.4f", quotient.low, quotient.high)
	case low.low > change.high || high.high < change.low:
		c.wrong("the interval does not contain the change")
	}
}

var rankForm = regexp.MustCompile(`^[0-9]+(-[0-9]+)?$`)

// ranked checks a row of a ranking: server, rank, figure with its range, and mostly the ratio to the first.
func (c *calculator) ranked(cells []string) {
	if !rankForm.MatchString(cells[1]) {
		return
	}
	c.ranks++
	f, ok := figure(cells[2], 0, decimals(cells[2]))
	if !ok {
		c.wrong("cannot read the figure")
		return
	}
	if c.last == (shown{}) {
		c.first = f
	} else if more := strings.Contains(c.title, "highest"); more && f.low > c.last.high || !more && f.high < c.last.low {
		c.wrong("%s: the row before has another place by its figure", c.title)
	}
	c.last = f
	if len(cells) > 3 {
		r, ok := figure(cells[3], 0, 2)
		quotient := shown{f.low / c.first.high, f.high / c.first.low}
		if !ok || r.low > quotient.high || r.high < quotient.low {
			c.wrong("a calculator says %.3f to %.3f times the first", quotient.low, quotient.high)
		}
	}
}

var spread = regexp.MustCompile(`([0-9.]+) \(([0-9.]+)-([0-9.]+)\)`)

// ranges checks that each figure lies in the range beside it.
func (c *calculator) ranges() {
	for _, of := range spread.FindAllStringSubmatch(c.line, -1) {
		c.spreads++
		var values [3]shown
		for i, text := range of[1:] {
			values[i], _ = figure(text, 0, decimals(text))
		}
		if f, low, high := values[0], values[1], values[2]; low.low > f.high || high.high < f.low {
			c.wrong("%s is not in its range", of[1])
		}
	}
}
