package machines

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"fairstream/scripts/internal/measure/doctor"
)

const (
	// roundTrips are how many round trips are timed.
	roundTrips = 300
	// mostRoundTrip is how long one may take without a finding: clocks are known within half of it.
	mostRoundTrip = 2 * time.Millisecond
	// leastBacklog is how many connections must wait for a server: k6 opens all of a level at once.
	leastBacklog = 1024
)

// Look examines the link between both machines. Call Install first.
func (m *Machine) Look(ctx context.Context) ([]doctor.Finding, error) {
	trip, err := m.roundTrip(ctx)
	if err != nil {
		return nil, err
	}
	const somaxconn = "/proc/sys/net/core/somaxconn"
	there, err := m.Run(ctx, nil, "cat "+somaxconn)
	if err != nil {
		return nil, err
	}
	here, err := os.ReadFile(somaxconn)
	if err != nil {
		return nil, err
	}
	return []doctor.Finding{trip, m.speedFinding(), m.drops(), backlog(strings.TrimSpace(string(here)), strings.TrimSpace(there))}, nil
}

// roundTrip times requests to a stub there.
func (m *Machine) roundTrip(ctx context.Context) (f doctor.Finding, err error) {
	dir, err := os.MkdirTemp("", "fairstream-link-")
	if err != nil {
		return f, err
	}
	defer os.RemoveAll(dir) // best effort: a temporary directory
	stub, err := m.Start(ctx, time.Minute, []string{"HOST=" + m.Load.Address, "PORT=0"}, []string{"stub/bin/stub"}, filepath.Join(dir, "stub.log"))
	if err != nil {
		return f, err
	}
	defer stub.Stop()
	url, err := stub.Line(ctx, "http://")
	if err != nil {
		return f, err
	}
	var took []time.Duration
	for range roundTrips {
		began := time.Now()
		resp, err := http.Get("http://" + strings.TrimSuffix(url, "/v1") + "/healthz")
		if err != nil {
			return f, fmt.Errorf("link: servers here cannot reach the stub there: %w; let the firewall of that machine pass %s", err, m.Servers.Address)
		}
		_, err = io.Copy(io.Discard, resp.Body)
		if err = errors.Join(err, resp.Body.Close()); err != nil {
			return f, err
		}
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	p50, p99 := took[len(took)/2], took[len(took)*99/100]
	f = doctor.Finding{
		Name: "round-trip", State: doctor.Fine, Why: "each answer waits for it, and the clocks are known within half of it", Cost: "itself, on each answer",
		Seen: fmt.Sprintf("%.2f ms (p50), %.2f ms (p99), with the answer of the stub", ms(p50), ms(p99)),
	}
	if p50 > mostRoundTrip {
		f.State = doctor.Given
	}
	return f, nil
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func (m *Machine) speedFinding() doctor.Finding {
	f := doctor.Finding{Name: "link", State: doctor.Fine, Why: "a level that needs more than half of it is refused", Cost: "not measured", Seen: fmt.Sprintf("%s, %d Mbit/s", m.Device, m.LinkMbit)}
	if m.LinkMbit == 0 {
		f.State, f.Seen = doctor.Unknown, m.Device+" does not say how fast it is, so no level is refused"
	}
	return f
}

// drops are packets that the card here lost since the boot.
func (m *Machine) drops() doctor.Finding {
	f := doctor.Finding{Name: "drops", State: doctor.Fine, Why: "a lost packet is sent again after 200 ms or more", Cost: "not measured"}
	var lost []int64
	for _, name := range []string{"rx_dropped", "tx_dropped"} {
		text, err := os.ReadFile(filepath.Join("/sys/class/net", m.Device, "statistics", name))
		n, wrong := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
		if err != nil || wrong != nil {
			f.State, f.Seen = doctor.Unknown, m.Device+" does not count them"
			return f
		}
		lost = append(lost, n)
	}
	f.Seen = fmt.Sprintf("%d received and %d sent packets lost by %s since the start", lost[0], lost[1], m.Device)
	if lost[0]+lost[1] > 0 {
		f.State = doctor.Given
	}
	return f
}

// backlog checks how many connections may wait for a server here, and for the stub there.
func backlog(here, there string) doctor.Finding {
	f := doctor.Finding{Name: "somaxconn", State: doctor.Fine, Why: "a connection beyond it is refused, or tried again after 1 s", Cost: "not measured", Seen: fmt.Sprintf("%s here, %s there", here, there)}
	for _, text := range []string{here, there} {
		n, err := strconv.Atoi(text)
		switch {
		case err != nil:
			f.State = doctor.Unknown
		case n < leastBacklog:
			f.State, f.Fix = doctor.Fix, "sudo sysctl net.core.somaxconn=4096    # on the machine that has less"
		}
	}
	return f
}

// Doctor runs this program's own doctor there, and returns what it prints.
func (m *Machine) Doctor(ctx context.Context, all bool) (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close() // read only
	flag := ""
	if all {
		flag = "-all"
	}
	// Its status only says whether there are findings.
	return m.Run(ctx, f, `umask 077; dir=$(mktemp -d) || exit
trap 'rm -rf "$dir"' EXIT
cat >"$dir/bench" && chmod 700 "$dir/bench" || exit
"$dir/bench" doctor $1 2>&1 || true`, flag)
}
