package main

import (
	"encoding/json"
	"maps"
	"os"
	"time"
)

// told is what the streams that ended got.
type told struct {
	given                           // to streams of any pace
	Paces          map[string]given `json:"paces"`            // by what the message asks for, such as 50ms
	NSPerIteration float64          `json:"ns_per_iteration"` // of CPU time, in the mean since the start
	MostOpen       int              `json:"most_open"`        // streams at a time
	ResidentBytes  int64            `json:"resident_bytes"`
}

type given struct {
	Streams    int    `json:"streams"`
	Reads      int    `json:"reads"` // handed on
	Iterations int    `json:"iterations"`
	TTFT       delays `json:"ttft"`
	Tail       delays `json:"tail"`
}

// delays are the number of delays, and their mean.
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

func (g *given) add(b *body) {
	g.Streams++
	g.Reads += b.reads
	g.Iterations += b.iterations
	g.TTFT.add(b.ttft)
	g.Tail.add(b.tail)
}

func (t *told) add(b *body) {
	t.given.add(b)
	of := t.Paces[b.pace]
	of.add(b)
	t.Paces[b.pace] = of
}

// tell writes the report as a line, every second in which a stream ended.
func (p *inject) tell() {
	last := -1
	for range time.Tick(time.Second) {
		p.mu.Lock()
		now := p.told
		now.Paces = maps.Clone(now.Paces)
		now.MostOpen = p.mostOpen
		now.ResidentBytes = p.residents.touched
		p.mu.Unlock()
		if now.Streams == last {
			continue
		}
		last = now.Streams
		line, err := json.Marshal(map[string]told{"injected": now})
		if err == nil {
			os.Stderr.Write(append(line, '\n'))
		}
	}
}
