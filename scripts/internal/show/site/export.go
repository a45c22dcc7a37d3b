package site

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

func sortedKeys[V any](m map[string]V, compare func(a, b string) int) []string {
	return slices.SortedFunc(maps.Keys(m), compare)
}

// writeExports writes the points for other programs: of each year a table with a row
// for a commit, server and scenario and a column for each metric, and the newest
// commit's with units. A table with a row for each point, and its rounds, would take
// some gigabytes of ten thousand commits; the rounds are in runs/. It returns the tables' names.
func (b *builder) writeExports() ([]string, error) {
	years := map[int][]int{}
	for i, p := range b.places {
		if p.figures {
			year := p.when().Year()
			years[year] = append(years[year], i)
		}
	}
	order := slices.Sorted(maps.Keys(years))
	names := make([]string, len(order))
	err := parallel(len(order), func(i int) error {
		names[i] = fmt.Sprintf("export/%04d.csv.gz", order[i])
		return b.out(names[i], zipped(b.table(years[order[i]])))
	})
	if err != nil {
		return nil, err
	}
	newest, err := json.Marshal(b.newestPoints())
	if err != nil {
		return nil, err
	}
	return names, b.out("export/newest.json", newest)
}

// when a commit was made, or else its first run began.
func (p *place) when() time.Time {
	if p.known {
		return time.Unix(p.commit.Time, 0).UTC()
	}
	return p.begin()
}

// id is a commit's hash, or that of a local run.
func (p *place) id() string {
	if p.local != nil {
		return "local-" + p.commit.Hash[:10]
	}
	return p.commit.Hash
}

// table is one as CSV. No field needs quotes: they are hashes, times, figures, and
// names whose form was checked.
func (b *builder) table(places []int) []byte {
	head := []string{"commit", "time", "epoch", "server", "scenario", "status"}
	for _, m := range trended {
		head = append(head, m.Name)
	}
	text := append([]byte(strings.Join(head, ",")), '\n')
	for _, i := range places {
		p := b.places[i]
		of := strings.Join([]string{p.id(), p.when().Format(time.RFC3339), p.epoch}, ",")
		for _, name := range slices.Sorted(maps.Keys(p.served)) {
			cells := p.served[name].cells
			for _, scenario := range sortedKeys(cells, byLoad) {
				c := cells[scenario]
				text = append(text, strings.Join([]string{of, name, scenario, string(c.status)}, ",")...)
				for k := range trended {
					text = append(text, ',')
					if v, _, _ := c.at(k); known(v) {
						text = strconv.AppendFloat(text, float64(v), 'g', -1, 32)
					}
				}
				text = append(text, '\n')
			}
		}
	}
	return text
}

func (b *builder) newestPoints() Newest {
	n := Newest{Schema: Schema, Points: []NewestPoint{}}
	at := b.latest(len(b.places))
	if at < 0 {
		return n
	}
	p := b.places[at]
	when := p.when()
	n.Commit, n.Run, n.Time, n.Epoch = p.id(), p.newest.path, &when, p.epoch
	for _, name := range slices.Sorted(maps.Keys(p.served)) {
		cells := p.served[name].cells
		for _, scenario := range sortedKeys(cells, byLoad) {
			for k, m := range trended {
				mid, low, high := cells[scenario].at(k)
				if !known(mid) {
					continue
				}
				status := "ok"
				if cells[scenario].doubted {
					status = "suspect"
				}
				n.Points = append(n.Points, NewestPoint{name, scenario, m.Name, m.Unit, shortest(mid), shortest(low), shortest(high), status})
			}
		}
	}
	return n
}

// shortest is the number that a float32 stands for, without the digits that only
// a float64 of it has.
func shortest(v float32) float64 {
	f, _ := strconv.ParseFloat(strconv.FormatFloat(float64(v), 'g', -1, 32), 64) // what was just written is a number
	return f
}
