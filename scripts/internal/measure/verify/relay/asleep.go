package relay

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"fairstream/scripts/internal/measure/process"
	"fairstream/scripts/internal/measure/verify"
)

// A server with a timer of some milliseconds is caught on nearly each event. On a busy machine the look may
// come too late each time. So the check watches at least leastLooks events, and up to mostLooks within
// lookTime.
const (
	leastLooks = 50
	mostLooks  = 400
	lookTime   = 5 * time.Second
)

// awake finds a server that holds back an event and waits for more. Lock-step cannot tell such a short wait
// from a busy machine, so no clock is used. A server may be slow, but it must not sleep in all its threads
// with an event that it has read and not written. The kernel shows sleep: every thread is in state S, with
// the same count of context switches before and after the look at its sockets. A look may miss a sleeping
// server, but never fails a right one.
func awake(_ context.Context, s *subject) error {
	c, id, err := s.begin(fmt.Sprintf("@hold=1 @tokens=%d", mostLooks), 1)
	if err != nil {
		return err
	}
	defer c.Close()
	ups, err := s.Sockets(s.Toward(c.Client, true))
	defer verify.CloseAll(ups)
	if err != nil {
		return err
	}
	downs, err := s.Sockets(s.Toward(c.Client, false))
	defer verify.CloseAll(downs)
	if err != nil {
		return err
	}
	if len(ups) != 1 || len(downs) != 1 {
		return nil // any of them may carry the stream
	}
	up, down := ups[0], downs[0]
	pids := process.Group(s.Server.Pid)
	a, err := c.stream()
	if err != nil {
		return err
	}
	if err := a.next(); err != nil {
		return fmt.Errorf("event 1: %w", verify.Readable(err))
	}
	least, most := s.Share(leastLooks), s.Share(mostLooks)
	started := time.Now()
	for event := 2; event < least || event < most && time.Since(started) < lookTime; event++ {
		before, err := received(up)
		if err != nil {
			return err
		}
		if err := s.Release(id, 1); err != nil {
			return err
		}
		if err := watch(c, pids, up, down, before); err != nil {
			return fmt.Errorf("event %d: %w", event, err)
		}
		if err := a.next(); err != nil {
			return fmt.Errorf("event %d: %w", event, verify.Readable(err))
		}
	}
	return nil
}

// watch observes the server after it has read an event, until the event arrives at the client.
func watch(c *client, pids []int, up, down int, before uint64) error {
	wait := c.Wait()
	for !wait.Over() {
		if now, err := received(up); err != nil || now == before {
			if err != nil {
				return err
			}
			continue // not there yet
		}
		if unread, err := unix.IoctlGetInt(up, unix.TIOCINQ); err != nil || unread > 0 {
			if err != nil {
				return verify.Harness(err)
			}
			continue // not read yet
		}
		first, asleep := threads(pids)
		unsent, err := unix.IoctlGetInt(down, unix.TIOCOUTQ)
		if err != nil {
			return verify.Harness(err)
		}
		arrived, err := c.Arrived()
		if err != nil {
			return verify.Harness(err)
		}
		if arrived {
			return nil
		}
		if second, _ := threads(pids); asleep && first == second && unsent == 0 {
			return fmt.Errorf("the server has read it and not written it, and all its threads sleep: it waits for a timer or for more bytes")
		}
	}
	return wait.Silence()
}

// received counts the bytes that a socket has received.
func received(fd int) (uint64, error) {
	info, err := unix.GetsockoptTCPInfo(fd, unix.IPPROTO_TCP, unix.TCP_INFO)
	if err != nil {
		return 0, verify.Harness(fmt.Errorf("TCP_INFO: %w", err))
	}
	return info.Bytes_received, nil
}

// threads returns the count of context switches of every thread of some processes, and whether all of them
// sleep.
func threads(pids []int) (switches string, asleep bool) {
	for _, pid := range pids {
		tasks, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
		if err != nil {
			return "", false
		}
		for _, task := range tasks {
			status, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/status", pid, task.Name()))
			at := strings.Index(string(status), "voluntary_ctxt_switches")
			if err != nil || at < 0 || !strings.Contains(string(status), "State:\tS") {
				return "", false
			}
			switches += task.Name() + " " + string(status[at:])
		}
	}
	return switches, len(switches) > 0
}
