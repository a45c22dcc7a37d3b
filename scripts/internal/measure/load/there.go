package load

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/measure/machines"
	"fairstream/scripts/internal/measure/process"
)

// A rigStub is the stub of a k6 run.
type rigStub struct {
	*process.Process
	url    string // for servers
	direct string // for direct, likewise
	here   int    // its pid on this machine; 0: it runs on the load machine
	there  int    // its pid there, likewise
	stop   func()
}

// Stop ends the stub.
func (s rigStub) Stop() { s.stop() }

// startStub starts the stub: here, or on the load machine if servers ask it. Where no server does, the stub is direct, and
// stands where servers do.
func (l k6Run) startStub(ctx context.Context, dir string) (rigStub, error) {
	log := filepath.Join(dir, "stub.log")
	if l.Machine == nil || !l.Workload.Upstream {
		p, port, err := l.stubs().Start(ctx, log)
		if err != nil {
			return rigStub{}, err
		}
		url := l.address(port)
		return rigStub{p, url, url, p.Pid, 0, p.Stop}, nil
	}
	r, url, err := l.startStubThere(ctx, log)
	if err != nil {
		return rigStub{}, err
	}
	f, err := newForwarder(l.Machine.Servers.Address, strings.TrimPrefix(url, "http://"))
	if err != nil {
		r.Stop()
		return rigStub{}, process.Unable{Err: err}
	}
	return rigStub{r.Process, url, "http://" + f.Addr().String(), 0, r.PID, func() { f.stop(); r.Stop() }}, nil
}

// startStubThere starts a stub on the load machine, and returns its URL.
func (l k6Run) startStubThere(ctx context.Context, log string) (*machines.Remote, string, error) {
	r, err := l.Machine.Start(ctx, l.limitThere(), []string{"HOST=" + l.Machine.Load.Address, "PORT=0"}, []string{"stub/bin/stub"}, log)
	if err != nil {
		return nil, "", fmt.Errorf("stub: %w", err)
	}
	rest, err := r.Line(ctx, "http://")
	if err != nil {
		r.Stop()
		return nil, "", fmt.Errorf("stub: %w", err)
	}
	return r, "http://" + strings.TrimSuffix(rest, "/v1"), nil
}

// limitThere is when a program on the load machine ends, should the connection be lost.
func (l k6Run) limitThere() time.Duration { return 4*l.plan.Duration + 2*slack }

// A forwarder passes connections of direct on to the stub, so that they cross the link as often as those of servers. The kernel
// moves the bytes (splice(2)).
type forwarder struct {
	net.Listener
	open sync.WaitGroup
	all  sync.Map // connections
}

func newForwarder(host, to string) (*forwarder, error) {
	l, err := net.Listen("tcp", net.JoinHostPort(host, "0"))
	if err != nil {
		return nil, err
	}
	f := &forwarder{Listener: l}
	f.open.Go(func() {
		for {
			from, err := l.Accept()
			if err != nil {
				return // stop closed it
			}
			f.open.Go(func() { f.pass(from, to) })
		}
	})
	return f, nil
}

// pass copies both directions until both have ended.
func (f *forwarder) pass(from net.Conn, address string) {
	defer from.Close() // its end is all that k6 must see
	to, err := net.Dial("tcp", address)
	if err != nil {
		return // k6 sees a closed connection, and counts a failure
	}
	defer to.Close() // likewise
	f.all.Store(from, to)
	defer f.all.Delete(from)
	var back sync.WaitGroup
	back.Go(func() { half(from, to) })
	half(to, from)
	back.Wait()
}

// half copies one direction, and passes on its end.
func half(to, from net.Conn) {
	_, _ = io.Copy(to, from) // a failure ends the connection, which both sides see
	if c, ok := to.(*net.TCPConn); ok {
		_ = c.CloseWrite() // likewise
	}
}

func (f *forwarder) stop() {
	_ = f.Close() // no new connection
	f.all.Range(func(from, to any) bool {
		_, _ = from.(net.Conn).Close(), to.(net.Conn).Close() // nobody waits for them
		return true
	})
	f.open.Wait()
}

// mostApartMS is how well the clocks of both machines must be known, and how much they may move in a load. Slices last 500 ms.
const mostApartMS = 2

// aheadTries is how often the other clock is asked. The quickest answer counts: F. Cristian, Probabilistic clock synchronization, 1989.
const aheadTries = 20

// ahead is how far the clock of the stub's machine is before ours.
func ahead(ctx context.Context, url string, now func() float64) (ms float64, err error) {
	within := math.Inf(1)
	for range aheadTries {
		sent := now()
		s, err := askStub(ctx, url)
		came := now()
		if err != nil {
			return 0, err
		}
		if half := (came - sent) / 2; half < within {
			within, ms = half, float64(s.NowUS)/1000-(sent+came)/2
		}
	}
	if within > mostApartMS {
		return 0, fmt.Errorf("load machine: its clock is known within %.1f ms only; want %d at most, so a link with round trips below %d ms", within, mostApartMS, 2*mostApartMS)
	}
	return ms, nil
}

// A crossing is what a k6 run reads here while the load machine loads. That of a run on one machine is nil.
type crossing struct {
	*clocksReader
	clock *machines.Remote // a stub there, whose time is asked; nil: the run's own stub is asked
	url   string
	ahead float64
	once  sync.Once
}

// cross begins to read the clocks of servers.
func (l k6Run) cross(ctx context.Context, dir string, ready []subject, stub rigStub) (c *crossing, err error) {
	if l.Machine == nil {
		return nil, nil
	}
	var names []string
	var pids [][]int
	add := func(name string, of []int) { names, pids = append(names, name), append(pids, of) }
	if stub.here != 0 {
		add(roleStub, []int{stub.here})
	}
	for _, s := range ready {
		if s.Process != nil {
			add(s.facts.Name, s.facts.PIDs)
		}
		if s.backends != nil {
			add(raw.Backends(s.facts.Name), s.backends)
		}
	}
	if l.services != nil {
		shared, err := l.services.Shared(ctx)
		if err != nil {
			return nil, err
		}
		add(raw.Services, shared)
	}
	c = &crossing{url: stub.url}
	if stub.there == 0 {
		if c.clock, c.url, err = l.startStubThere(ctx, filepath.Join(dir, "clock.log")); err != nil {
			return nil, err
		}
	}
	c.clocksReader = readClocks(names, pids, l.Machine.Device)
	if c.ahead, err = ahead(ctx, c.url, c.now); err != nil {
		c.end()
		return nil, err
	}
	return c, nil
}

// end stops the readings.
func (c *crossing) end() {
	if c == nil {
		return
	}
	c.once.Do(func() {
		c.clocksReader.stop()
		if c.clock != nil {
			c.clock.Stop()
		}
	})
}

// conclude writes the clocks.
func (c *crossing) conclude(ctx context.Context, dir string) error {
	if c == nil {
		return nil
	}
	after, err := ahead(ctx, c.url, c.now)
	if err != nil {
		return err
	}
	c.end()
	if moved := math.Abs(after - c.ahead); moved > mostApartMS {
		return fmt.Errorf("load machine: its clock and ours moved %.1f ms against each other in this load; want %d at most; let both follow one time server", moved, mostApartMS)
	}
	c.clocks.AheadMS = (c.ahead + after) / 2
	return raw.WriteJSON(filepath.Join(dir, raw.ClocksFile), c.clocks)
}

// mostLinkShare is the part of the link that a level may need. With more, packets wait for each other, and latency is that of the link.
const mostLinkShare = 0.5

// checkLink refuses a load that needs much of the link. Where the card does not say how fast it is, nothing is refused.
func (c *crossing) checkLink(m *machines.Machine, s raw.Summary) error {
	if c == nil || m.LinkMbit <= 0 {
		return nil
	}
	level, bits := c.clocks.BusiestLink(s.Slices)
	if mbit := bits / 1e6; mbit > mostLinkShare*float64(m.LinkMbit) {
		return fmt.Errorf("level %q: %.0f Mbit/s of the %d of %s; want %.0f at most, since more measures the link; leave the level out with -scenario, or use a faster link",
			level, mbit, m.LinkMbit, m.Device, mostLinkShare*float64(m.LinkMbit))
	}
	return nil
}

// startK6There starts k6 on the load machine: one, or several that share the load.
func (l k6Run) startK6There(ctx context.Context, job K6Command, dir string, stub rigStub) (all k6s, err error) {
	m := l.Machine
	job.Cores, job.Watched = nil, map[string][]int{}
	if stub.there != 0 {
		job.Watched[roleStub] = []int{stub.there}
	}
	text, err := json.Marshal(job.given())
	if err != nil {
		return all, err
	}
	out, err := m.Run(ctx, bytes.NewReader(text), `umask 077
find "${TMPDIR:-/tmp}" -mindepth 1 -maxdepth 1 -name "fairstream-load-*" -user "$(id -u)" -mtime +0 -exec rm -rf {} + # of lost links
dir=$(mktemp -d -t fairstream-load-XXXXXXXX) && cat >"$dir/targets.json" && echo "$dir"`)
	if err != nil {
		return all, err
	}
	all.machine, all.dirThere = m, strings.TrimSpace(out)
	summary := all.dirThere + "/" + raw.SummaryFile
	job.K6 = "k6"
	var addresses []string
	first := 20000 + rand.IntN(10000) // ports of their REST API, on 127.0.0.1 there
	for number := 1; number <= m.Load.Count(); number++ {
		job.Summary = raw.PartFile(summary, number)
		if m.Load.Count() > 1 {
			job.Part, job.Parts, job.API = number, m.Load.Count(), fmt.Sprintf("127.0.0.1:%d", first+number)
			addresses = append(addresses, job.API)
		}
		r, err := m.Start(ctx, l.limitThere(), K6Env, job.RunArgs(all.dirThere+"/targets.json"), filepath.Join(dir, fmt.Sprintf("k6.%d.log", number)))
		if err != nil {
			all.end()
			return all, fmt.Errorf("k6: %w", err)
		}
		all.there, all.processes = append(all.there, r), append(all.processes, r.Process)
	}
	if addresses == nil {
		return all, nil
	}
	if _, err := m.Run(ctx, nil, resume, append([]string{m.Root}, addresses...)...); err != nil {
		all.end()
		return all, fmt.Errorf("k6: %w", err)
	}
	return all, nil
}

// resume lets all k6 begin by their REST API. They begin at the next whole 10 s, which must be the same for all: README.md of k6.
const resume = `cd "$1" || exit
shift
for api in "$@"; do
	tries=0
	until k6/bin/k6 status --address "$api" >/dev/null 2>&1; do
		tries=$((tries + 1))
		[ $tries -lt 100 ] || { echo "k6 at $api is not ready" >&2; exit 1; }
		sleep 0.2
	done
done
while [ $(($(date +%s) % 10)) -gt 3 ]; do sleep 0.2; done
for api in "$@"; do k6/bin/k6 resume --address "$api" >/dev/null & done
wait`

// fetch brings the files of all k6.
func (all k6s) fetch(ctx context.Context, summary string) error {
	for i := range all.there {
		number := i + 1
		out, err := all.machine.Run(ctx, nil, `cat "$1"`, raw.PartFile(all.dirThere+"/"+raw.SummaryFile, number))
		if err != nil {
			return err
		}
		if err := os.WriteFile(raw.PartFile(summary, number), []byte(out), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// removeOld removes the files of an earlier attempt, which would pass for those of this one.
func removeOld(summary string) error {
	old, err := filepath.Glob(strings.TrimSuffix(summary, ".json") + "*.json")
	old = append(old, filepath.Join(filepath.Dir(summary), raw.ClocksFile))
	for _, file := range slices.Compact(old) {
		if wrong := os.Remove(file); wrong != nil && !errors.Is(wrong, os.ErrNotExist) {
			err = errors.Join(err, wrong)
		}
	}
	return err
}
