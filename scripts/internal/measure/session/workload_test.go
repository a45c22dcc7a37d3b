package session

import (
	"errors"
	"testing"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/measure/manifest"
	"fairstream/scripts/internal/measure/run"
)

// Scenarios belong to a workload, so servers of two have no load in common.
func TestARunHasOneWorkload(t *testing.T) {
	var s Session
	err := s.Load(t.Context(), []run.Target{{Server: manifest.Server{Workload: "relay", Name: "a"}}, {Server: manifest.Server{Workload: "web", Name: "b"}}}, Rounds{})
	wrong, ok := errors.AsType[cli.UsageError](err)
	if want := "relay/a and web/b: a run loads servers of one workload; name servers of one of them"; !ok || wrong.Error() != want {
		t.Errorf("%v; want %s", err, want)
	}
}
