package load

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"fairstream/k6/shared/hist"
	"fairstream/scripts/internal/judge/raw"
)

// tryFor is how long a script is tried: its warm-up, and the shortest load that counts, as our output of k6 has them. A script must not
// end before.
const tryFor = 8 * time.Second

// aborted is k6's exit status after a signal.
const aborted = 105

// Try runs a script for some seconds, and says what it did. An error is the script's, or the server's. k6's log goes to dir.
func (s Script) Try(ctx context.Context, dir string) (did hist.Script, err error) {
	const target = "tried"
	r, err := s.start(scriptJob{Target: target, Watched: map[string][]int{}, Cores: []int{}}, "", filepath.Join(dir, "k6.log"))
	if err != nil {
		return did, err
	}
	defer r.end()
	began := time.Now()
	select {
	case <-r.Done():
	case <-ctx.Done():
		return did, ctx.Err()
	case <-time.After(tryFor):
		r.Signal(syscall.SIGINT)
		select {
		case <-r.Done():
		case <-ctx.Done():
			return did, ctx.Err()
		case <-time.After(time.Minute):
			return did, errors.New("script: k6 did not end a minute after SIGINT; want a script whose functions end")
		}
	}
	if status := r.ExitStatus(); status != 0 && status != thresholdsCrossed && status != aborted {
		return did, fmt.Errorf("script: k6 %w", r.Gone())
	}
	if took := time.Since(began); took < tryFor && r.ExitStatus() == thresholdsCrossed {
		return did, fmt.Errorf("script: a threshold ended it after %.1f s; want a load without abortOnFail, since each side is loaded as long", took.Seconds())
	} else if took < tryFor {
		return did, fmt.Errorf("script: it ended after %.1f s; want a load of 15 s to a minute, and at least %v; give it a scenario or a duration; k6 %w", took.Seconds(), tryFor, r.Gone())
	}
	summary, err := raw.ReadSummary(r.summary())
	if err != nil {
		return did, fmt.Errorf("script: k6: %w; %w", err, r.Gone())
	}
	did = summary.Scripts[target]
	return did, s.reached(did)
}

// reached returns an error for a script that sent nothing to the server.
func (s Script) reached(did hist.Script) error {
	base, err := url.Parse(s.BaseURL)
	if err != nil {
		return err
	}
	switch n := did.Hosts[base.Host]; {
	case n > 0:
		return nil
	case len(did.Hosts) == 0 && did.Iterations == 0:
		return fmt.Errorf("script: it sent no request and ended no iteration in %v; want a load that begins at once", tryFor)
	case len(did.Hosts) == 0, did.Hosts[hist.UnknownHost] > 0: // of a protocol whose requests k6 does not count by address, or with names in its place
		return nil
	}
	asked := slices.SortedFunc(maps.Keys(did.Hosts), func(a, b string) int { return cmp.Compare(did.Hosts[b], did.Hosts[a]) })
	return fmt.Errorf("script: it sent nothing to BASE_URL (%s), but to %s; want ${__ENV.BASE_URL} in the script, since each side has a port of its own",
		s.BaseURL, strings.Join(asked[:min(3, len(asked))], ", "))
}
