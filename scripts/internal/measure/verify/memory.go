package verify

import (
	"fmt"
	"slices"

	"fairstream/scripts/internal/measure/load"
	"fairstream/scripts/internal/measure/process"
)

// Peak is the server's peak memory since the last reset.
func (s *Subject) Peak(reset bool) (int64, error) {
	pids := process.Group(s.Server.Pid)
	bytes, err := load.PeakRSS(pids)
	if err == nil && reset {
		err = load.ResetPeaks(pids)
	}
	if err == nil {
		return bytes, nil
	}
	err = fmt.Errorf("the server's memory: %w", err)
	if slices.Equal(process.Group(s.Server.Pid), pids) { // all of them live, so this kernel does not say
		return 0, HarnessError{err}
	}
	return 0, err
}
