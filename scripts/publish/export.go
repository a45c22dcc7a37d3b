package publish

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"
)

func sortedKeys[V any](m map[string]V, compare func(a, b string) int) []string {
	return slices.SortedFunc(maps.Keys(m), compare)
}

// writeExports writes the points for other programs: of each year a table with a row
// for a commit, server and scenario and a column for each metric, and the newest
// commit's with units. A table with a row for each point, and its rounds, would take
// some gigabytes of ten thousand commits; the rounds are in runs/.
func (b *builder) writeExports() error {
	years := map[int][]int{}
	for i, p := range b.places {
		if p.figures {
			year := p.when().Year()
			years[year] = append(years[year], i)
		}
	}
	order := slices.Sorted(maps.Keys(years))
	err := parallel(len(order), func(i int) error {
		text, err := b.table(years[order[i]])
		if err != nil {
			return err
		}
		return b.out(fmt.Sprintf("export/%04d.csv.gz", order[i]), zipped(text))
	})
	if err != nil {
		return err
	}
	newest, err := json.Marshal(b.newestPoints())
	if err != nil {
		return err
	}
	return b.out("export/newest.json", newest)
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
		return "local-" + p.commit.SHA[:10]
	}
	return p.commit.SHA
}

func (b *builder) table(places []int) ([]byte, error) {
	var to bytes.Buffer
	w := csv.NewWriter(&to)
	head := []string{"commit", "time", "epoch", "server", "scenario", "status"}
	for _, m := range trended {
		head = append(head, m.Name)
	}
	if err := w.Write(head); err != nil {
		return nil, err
	}
	row := make([]string, len(head))
	for _, i := range places {
		p := b.places[i]
		for _, name := range slices.Sorted(maps.Keys(p.served)) {
			cells := p.served[name].cells
			for _, scenario := range sortedKeys(cells, byLoad) {
				c := cells[scenario]
				copy(row, []string{p.id(), p.when().Format(time.RFC3339), p.epoch, name, scenario, string(c.status)})
				for k := range trended {
					row[6+k] = ""
					if v, _, _ := c.at(k); known(v) {
						row[6+k] = strconv.FormatFloat(float64(v), 'g', -1, 32)
					}
				}
				if err := w.Write(row); err != nil {
					return nil, err
				}
			}
		}
	}
	w.Flush()
	return to.Bytes(), w.Error()
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
	f, _ := strconv.ParseFloat(strconv.FormatFloat(float64(v), 'g', -1, 32), 64)
	return f
}
