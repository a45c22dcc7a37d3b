package sse

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/grafana/sobek"
	"go.k6.io/k6/js/common"
)

// A schedule says who is loaded when. Targets of one turn are loaded side by
// side, each by VUs of its own; turns follow each other without overlapping.
// The order of turns is the caller's.
type schedule struct {
	Targets []targetURL      `json:"targets"`
	Watched map[string][]int `json:"watched"` // pids by name, whose CPU time is noted for each turn
	Turns   []turn           `json:"turns"`
}

type targetURL struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

type turn struct {
	Plateau string `json:"plateau"`
	Targets []int  `json:"targets"` // indices
	VUs     int    `json:"vus"`     // of each target
	MS      int64  `json:"ms"`      // for which streams are begun; those that are open then drain
}

func (s schedule) check() error {
	if len(s.Targets) == 0 || len(s.Turns) == 0 {
		return fmt.Errorf("%d targets, %d turns; want some of both", len(s.Targets), len(s.Turns))
	}
	for name, pids := range s.Watched {
		for _, pid := range pids {
			if pid < 1 || pid > maxPID {
				return fmt.Errorf("watched %q: process %d; want 1 to %d", name, pid, maxPID)
			}
		}
	}
	for i, t := range s.Turns {
		if len(t.Targets) == 0 || t.VUs < 1 || t.MS < 1 {
			return fmt.Errorf("turn %d: %d targets, %d VUs, %d ms; want some of each", i, len(t.Targets), t.VUs, t.MS)
		}
		for _, at := range t.Targets {
			if at < 0 || at >= len(s.Targets) {
				return fmt.Errorf("turn %d: target %d of %d", i, at, len(s.Targets))
			}
		}
	}
	return nil
}

// A dealer deals the turns of a process to its VUs. A turn ends when its time is
// over and the last of its streams has ended; only then does the next begin.
type dealer struct {
	mu      sync.Mutex
	changed sync.Cond
	plan    schedule
	given   string // the JSON that plan was read from
	now     int    // the turn; len(plan.Turns) when all are over
	open    int    // streams of it
	begun   time.Time
	clocks  map[string]time.Duration
	done    []turnReport
}

// A turnReport is what was seen of a turn.
type turnReport struct {
	Turn        int                `json:"turn"` // from 0; the slice of its series
	Plateau     string             `json:"plateau"`
	Targets     []string           `json:"targets"`
	BegunUnixMS int64              `json:"begun_unix_ms"`
	PlannedMS   int64              `json:"planned_ms"`
	TookMS      float64            `json:"took_ms"` // to the end of its last stream
	CPUMS       map[string]float64 `json:"cpu_ms"`  // of what is watched, and of k6 itself
	Lost        []string           `json:"lost"`    // watched, and gone before the end
}

// set takes the plan from whichever VU comes first; all have the same.
func (d *dealer) set(text string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.given == text {
		return nil
	}
	if d.given != "" {
		return errors.New("another plan was given before")
	}
	var s schedule
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		return err
	}
	if err := s.check(); err != nil {
		return err
	}
	d.plan, d.given = s, text
	d.changed.L = &d.mu
	return nil
}

// next gives a VU, counted from 0, its next stream; ok is false when there is
// none any more. ended says that the one before has ended.
func (d *dealer) next(ctx context.Context, vu int, ended bool) (t targetURL, plateau, slice string, ok bool) {
	defer context.AfterFunc(ctx, func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.changed.Broadcast()
	})()
	d.mu.Lock()
	defer d.mu.Unlock()
	if ended {
		d.open--
	}
	for ctx.Err() == nil && d.now < len(d.plan.Turns) {
		turn := d.plan.Turns[d.now]
		if d.begun.IsZero() {
			d.begin()
		}
		if time.Since(d.begun) >= time.Duration(turn.MS)*time.Millisecond {
			if d.open == 0 {
				d.end()
				continue
			}
		} else if vu < turn.VUs*len(turn.Targets) {
			d.open++
			return d.plan.Targets[turn.Targets[vu%len(turn.Targets)]], turn.Plateau, fmt.Sprint(d.now), true
		}
		d.changed.Wait()
	}
	return targetURL{}, "", "", false
}

func (d *dealer) begin() {
	d.clocks = map[string]time.Duration{}
	for name, pids := range d.plan.Watched {
		if used, err := cpuTime(pids); err == nil {
			d.clocks[name] = used
		}
	}
	d.clocks[itself] = ownCPUTime()
	d.begun = time.Now()
}

// itself is the name of this process among what is watched.
const itself = "k6"

func (d *dealer) end() {
	turn := d.plan.Turns[d.now]
	r := turnReport{
		Turn: d.now, Plateau: turn.Plateau, BegunUnixMS: d.begun.UnixMilli(), PlannedMS: turn.MS,
		TookMS: ms(time.Since(d.begun)), CPUMS: map[string]float64{itself: ms(ownCPUTime() - d.clocks[itself])}, Lost: []string{},
	}
	for _, at := range turn.Targets {
		r.Targets = append(r.Targets, d.plan.Targets[at].Name)
	}
	for name, pids := range d.plan.Watched {
		before, known := d.clocks[name]
		after, err := cpuTime(pids)
		if !known || err != nil {
			r.Lost = append(r.Lost, name)
			continue
		}
		r.CPUMS[name] = ms(after - before)
	}
	d.done = append(d.done, r)
	d.now, d.begun = d.now+1, time.Time{}
	d.changed.Broadcast()
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// schedule is sse.schedule(json), for the init context.
func (m *module) schedule(call sobek.FunctionCall) sobek.Value {
	if err := m.dealer.set(call.Argument(0).String()); err != nil {
		common.Throw(m.vu.Runtime(), fmt.Errorf("sse.schedule: %w", err))
	}
	return sobek.Undefined()
}

// turn is sse.turn(): where and for what a VU begins its next stream, or null
// when all turns are over. It waits while the VU has none.
func (m *module) turn(sobek.FunctionCall) sobek.Value {
	rt, state := m.vu.Runtime(), m.vu.State()
	if state == nil {
		common.Throw(rt, common.NewInitContextError("sse.turn cannot be used in the init context"))
	}
	t, plateau, slice, ok := m.dealer.next(m.vu.Context(), int(state.VUID)-1, m.dealt)
	if m.dealt = ok; !ok {
		return sobek.Null()
	}
	o := rt.NewObject()
	for name, value := range map[string]string{"target": t.Name, "url": t.URL, "plateau": plateau, "slice": slice} {
		if err := o.Set(name, value); err != nil {
			common.Throw(rt, err)
		}
	}
	return o
}

// turns is sse.turns(): what was seen of the turns that are over.
func (m *module) turns(sobek.FunctionCall) sobek.Value {
	rt := m.vu.Runtime()
	m.dealer.mu.Lock()
	defer m.dealer.mu.Unlock()
	v, err := plain(rt, map[string]any{"planned": len(m.dealer.plan.Turns), "turns": m.dealer.done})
	if err != nil {
		common.Throw(rt, err)
	}
	return v
}
