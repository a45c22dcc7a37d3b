package session

import (
	"context"
	"fmt"
	"os"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/measure/machines"
)

// connect opens the connection to the load machine, if there is one. part closes it.
func (s *Session) connect(ctx context.Context) (part func(), err error) {
	if s.Machines == "" {
		return func() {}, nil
	}
	if s.machine, err = machines.Connect(ctx, s.machines); err != nil {
		return nil, err
	}
	h, err := s.machine.Host(ctx)
	if err != nil {
		s.machine.Close()
		return nil, err
	}
	fmt.Fprintf(os.Stderr, "load machine: %s, %s, %d cores\n", s.machines.Load.SSH, h.CPU, h.Cores)
	s.loadHost = &raw.LoadHost{CPU: known(h.CPU), Cores: h.Cores, OS: known(h.OS), Kernel: known(h.Kernel), K6: s.machines.Load.Count()}
	if h.MemoryBytes > 0 {
		s.loadHost.MemoryBytes = &h.MemoryBytes
	}
	if s.machine.LinkMbit > 0 {
		s.loadHost.LinkMbit = &s.machine.LinkMbit
	}
	return s.machine.Close, nil
}

// install brings the rig to the load machine, if there is one.
func (s *Session) install(ctx context.Context) error {
	if s.machine == nil {
		return nil
	}
	return s.machine.Install(ctx, s.root)
}

func known(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
