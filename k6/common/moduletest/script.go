// Package moduletest has what tests of our k6 modules share: a VU of k6 without k6, and a server on
// raw connections.
package moduletest

import (
	"context"
	"net"
	"testing"

	"github.com/grafana/sobek"
	js "go.k6.io/k6/js/common"
	"go.k6.io/k6/lib"
	"go.k6.io/k6/lib/netext"
	"gopkg.in/guregu/null.v3"

	"fairstream/k6/common"
)

// A Script is a VU of k6 with the module, without k6 around it.
type Script struct {
	scriptVU
	Ctx    context.Context
	Dialer *netext.Dialer
	state  *lib.State
	rt     *sobek.Runtime
}

// scriptVU is the rest of modules.VU, which the module must not use.
type scriptVU struct{}

func (scriptVU) InitEnv() *js.InitEnvironment                  { panic("not used") }
func (scriptVU) Events() js.Events                             { panic("not used") }
func (scriptVU) RegisterCallback() func(callback func() error) { panic("not used") }

func (s *Script) Context() context.Context { return s.Ctx }
func (s *Script) State() *lib.State        { return s.state }
func (s *Script) Runtime() *sobek.Runtime  { return s.rt }

// NewScript makes a VU in the init context. Its scripts know the module by a name.
func NewScript(t testing.TB, name string, m *common.Module) *Script {
	s := &Script{Ctx: t.Context(), rt: sobek.New(), Dialer: netext.NewDialer(net.Dialer{}, nil)}
	s.rt.SetFieldNameMapper(js.FieldNameMapper{})
	if err := s.rt.Set(name, m.NewModuleInstance(s).Exports().Named); err != nil {
		t.Fatal(err)
	}
	return s
}

// Start ends the init context. A segment is that of the instance.
func (s *Script) Start(segment ...string) *Script {
	options := lib.Options{UserAgent: null.StringFrom("Grafana k6/test")}
	for _, text := range segment {
		part, err := lib.NewExecutionSegmentFromString(text)
		if err != nil {
			panic(err)
		}
		options.ExecutionSegment = part
	}
	s.state = &lib.State{Dialer: s.Dialer, Options: options}
	return s
}

// Run runs a text, which must not fail.
func (s *Script) Run(t testing.TB, text string) string {
	t.Helper()
	v, err := s.RunString(text)
	if err != nil {
		t.Fatal(err)
	}
	return v.String()
}

// RunString runs a text.
func (s *Script) RunString(text string) (sobek.Value, error) { return s.rt.RunString(text) }
