// Package common is what our k6 modules share. It loads the slices of a schedule with virtual users
// on event loops. It reads CPU time and memory of processes and of the machine at the edges of each
// slice. The module says what is sent, and judges the answers.
package common

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/grafana/sobek"
	js "go.k6.io/k6/js/common"
	"go.k6.io/k6/js/modules"
	"go.k6.io/k6/lib"
	"go.k6.io/k6/lib/netext"

	"fairstream/k6/shared/hist"
	"fairstream/k6/shared/strict"
)

// A Protocol is what a module adds.
type Protocol interface {
	// Users reads the argument of load(), which is JSON, and returns what makes users.
	Users(argument []byte, s Schedule, userAgent string) (func(target int, vu *VU) User, error)
	// Report is the result of histograms().
	Report() any
}

// A Module is a k6 module. All VUs of k6 share it.
type Module struct {
	Name     string // in scripts; it begins errors
	Noun     string // the module's word for a request, such as stream
	Protocol Protocol

	mu       sync.Mutex
	schedule Schedule
	given    string // JSON of schedule
	run      *run
}

// An instance is the module in one VU of k6.
type instance struct {
	*Module
	vu modules.VU
}

func (m *Module) NewModuleInstance(vu modules.VU) modules.Instance { return &instance{m, vu} }

// Exports are the functions of the module.
func (i *instance) Exports() modules.Exports {
	function := func(f func(sobek.Value) (any, error)) sobek.Value {
		rt := i.vu.Runtime()
		return rt.ToValue(func(call sobek.FunctionCall) sobek.Value {
			result, err := f(call.Argument(0))
			if err == nil && result == nil {
				return sobek.Undefined()
			}
			var v sobek.Value
			if err == nil {
				v, err = plain(rt, result)
			}
			if err != nil {
				js.Throw(rt, fmt.Errorf("%s.%w", i.Name, err))
			}
			return v
		})
	}
	return modules.Exports{Named: map[string]any{
		"schedule": function(i.setSchedule), "load": function(i.load), "slices": function(i.slices), "histograms": function(i.histograms),
	}}
}

// setSchedule is schedule(object), for the init context. k6 runs that several times, always with
// the same schedule.
func (i *instance) setSchedule(argument sobek.Value) (any, error) {
	text, err := argument.ToObject(i.vu.Runtime()).MarshalJSON()
	if err == nil {
		err = i.set(text)
	}
	if err != nil {
		return nil, fmt.Errorf("schedule: %w", err)
	}
	return nil, nil
}

func (m *Module) set(text []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.given == string(text) {
		return nil
	}
	if m.given != "" {
		return errors.New("another schedule was given before")
	}
	var s Schedule
	if err := strict.Decode(text, &s); err != nil {
		return err
	}
	if err := s.check(); err != nil {
		return err
	}
	m.schedule, m.given = s, string(text)
	return nil
}

// load is load(object): it loads the slices of the schedule, and returns when all are over. One VU
// of k6 calls it, once. The VUs of the schedule are this package's own.
func (i *instance) load(argument sobek.Value) (any, error) {
	state := i.vu.State()
	if state == nil {
		return nil, errors.New("load: the init context loads nothing; call it in the default function")
	}
	text, err := argument.ToObject(i.vu.Runtime()).MarshalJSON()
	if err != nil {
		return nil, fmt.Errorf("load: %w", err)
	}
	r, err := i.start(text, state.Options, loops())
	if err != nil {
		return nil, fmt.Errorf("load: %w", err)
	}
	err = r.do(i.vu.Context())
	r.close()
	if d, ok := state.Dialer.(*netext.Dialer); ok { // k6 reads data_sent and data_received there
		sent, came := r.bytes()
		atomic.AddInt64(&d.BytesWritten, sent)
		atomic.AddInt64(&d.BytesRead, came)
	}
	return nil, err
}

// start makes the run of the schedule.
func (m *Module) start(argument []byte, options lib.Options, loops int) (*run, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.given == "" {
		return nil, errors.New("no schedule; call schedule in the init context")
	}
	if m.run != nil {
		return nil, errors.New("the schedule was loaded before; want one VU with one iteration")
	}
	segment, err := newSegment(options)
	if err != nil {
		return nil, err
	}
	m.schedule.Segment = segment
	newUser, err := m.Protocol.Users(argument, m.schedule, options.UserAgent.String)
	if err != nil {
		return nil, err
	}
	r, err := newRun(m.schedule, m.Noun, loops, newUser)
	if err == nil && (options.ExecutionSegment != nil || r.StartAtMS > 0) {
		if err = r.begins(time.Now()); err != nil {
			r.close()
		}
	}
	if err != nil {
		return nil, err
	}
	m.run = r
	return r, nil
}

// loops is the number of event loops: one for every two cores, since servers and the stub want the
// rest. On two cores, a second loop costs 15 % more CPU time for a stream, for its own waking up.
func loops() int { return (runtime.GOMAXPROCS(0) + 1) / 2 }

// slices is slices(): what happened in the slices that are over.
func (i *instance) slices(sobek.Value) (any, error) {
	i.mu.Lock()
	r := i.run
	i.mu.Unlock()
	if r == nil {
		return hist.Slices{Planned: len(i.schedule.Slices), Slices: []hist.Slice{}, GivenUp: map[string]string{}}, nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	report := r.report
	report.Slices = slices.Clone(report.Slices) // a repeat may mark them meanwhile
	report.GivenUp = maps.Clone(report.GivenUp)
	if report.Instance != nil {
		report.Instance = new(*report.Instance)
	}
	return report, nil
}

// histograms is histograms(): all counts of this process.
func (i *instance) histograms(sobek.Value) (any, error) { return i.Protocol.Report(), nil }

// plain turns a Go value into an object as JSON.parse does.
func plain(rt *sobek.Runtime, v any) (sobek.Value, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	parse, ok := sobek.AssertFunction(rt.GlobalObject().Get("JSON").ToObject(rt).Get("parse"))
	if !ok {
		return nil, errors.New("JSON.parse is not a function any more")
	}
	return parse(sobek.Undefined(), rt.ToValue(string(text)))
}
