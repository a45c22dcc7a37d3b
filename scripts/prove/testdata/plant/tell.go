package main

import (
	"encoding/json"
	"os"
	"time"
)

// told is what was given up to now, of the streams that ended.
type told struct {
	Streams        int     `json:"streams"`
	Reads          int     `json:"reads"` // handed on
	Iterations     int     `json:"iterations"`
	NSPerIteration float64 `json:"ns_per_iteration"` // of CPU time, measured at the start
	TTFT           delays  `json:"ttft"`
	Tail           delays  `json:"tail"`
	MostOpen       int     `json:"most_open"` // streams at a time
	FixedBytes     int64   `json:"fixed_bytes"`
	ResidentBytes  int64   `json:"resident_bytes"`
	LeakedBytes    int64   `json:"leaked_bytes"`
}

// delays are those that were given, as long as they were.
type delays struct {
	Count  int     `json:"count"`
	MeanUS float64 `json:"mean_us"` // 0 without any
}

func (d *delays) add(took time.Duration) {
	if took > 0 {
		d.MeanUS = (d.MeanUS*float64(d.Count) + float64(took)/1000) / float64(d.Count+1)
		d.Count++
	}
}

func (t *told) add(b *body) {
	t.Streams++
	t.Reads += b.reads
	t.Iterations += b.iterations
	t.TTFT.add(b.ttft)
	t.Tail.add(b.tail)
}

// tell writes what was given as a line, every second in which that changed.
func (p *plant) tell() {
	var last told
	for range time.Tick(time.Second) {
		p.mu.Lock()
		now := p.told
		now.MostOpen = p.mostOpen
		now.FixedBytes, now.ResidentBytes, now.LeakedBytes = p.fixed.touched, p.residents.touched, p.leaked.touched
		p.mu.Unlock()
		if now == last {
			continue
		}
		last = now
		line, err := json.Marshal(map[string]told{"planted": now})
		if err == nil {
			os.Stderr.Write(append(line, '\n'))
		}
	}
}
