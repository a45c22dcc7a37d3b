package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fairstream/scripts/internal/files"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/measure/launch"
	"fairstream/scripts/internal/measure/load"
	"fairstream/scripts/internal/measure/process"
	"fairstream/scripts/internal/measure/server"
	"fairstream/scripts/internal/measure/services"
	"fairstream/scripts/internal/workload"
)

// answerLimit is the time that one answer may take before the load.
const answerLimit = 10 * time.Second

// agree gives base the requests that head declares, since only the same load makes both comparable. Head may have new
// requests, or other answers to old ones. A request that base does not answer as head wants is left out on both sides.
// Where servers have scripts, both get base's.
func agree(ctx context.Context, root string, targets []load.Target) error {
	shareScripts(targets)
	for i := range targets {
		base, head := &targets[i], headOf(targets, i)
		if head == nil || base.Server.Declared == nil || head.Server.Declared == nil || base.Script != "" {
			continue
		}
		head.Dropped, head.Added, head.Changed = server.Differ(*base.Server.Declared, *head.Server.Declared)
		for _, names := range []*[]string{&head.Dropped, &head.Added, &head.Changed} {
			*names = shortened(*names)
		}
		if base.Broken != nil || head.Broken != nil {
			continue
		}
		if err := agreeOn(ctx, root, base, head); err != nil {
			return err
		}
	}
	return nil
}

// shortened cuts a list to what a record takes.
func shortened(names []string) []string {
	if n := len(names) - raw.MostNamed; n > 0 {
		names = append(names[:raw.MostNamed-1:raw.MostNamed-1], fmt.Sprintf("and %d more", n+1))
	}
	return names
}

func agreeOn(ctx context.Context, root string, base, head *load.Target) error {
	all := head.Server.Declared.Requests
	use := func(t *load.Target, kept []server.Request) {
		d := t.Server.Declared.With(kept)
		t.Server.Declared = &d
	}
	use(base, all)
	faults := map[int]error{} // of requests, by their index
	_, err := ask(ctx, root, base.Server, func(e server.Exchange, err error) bool {
		if faults[e.Of] == nil {
			faults[e.Of] = err
		}
		return true
	})
	if err != nil {
		return ownFault(ctx, base, err)
	}
	var kept []server.Request
	for i, r := range all {
		if faults[i] == nil {
			kept = append(kept, r)
			continue
		}
		head.LeftOut = append(head.LeftOut, r.Label())
		fmt.Fprintf(os.Stderr, "comparison: %s: base does not answer as head's %s wants, so neither side gets this request: %v\n", head.Server.Name, server.File, faults[i])
	}
	head.LeftOut = shortened(head.LeftOut)
	base.LeftOut = head.LeftOut
	if len(kept) == 0 {
		base.Broken = fmt.Errorf("verify: base answers none of the requests in head's %s as head wants, so there is no load that both share; the first: %w; change the requests in one commit, and the server in the next", server.File, faults[0])
		return nil
	}
	use(base, kept)
	use(head, kept)
	return nil
}

// recordAnswers asks each server for one right answer to each of its requests. Direct answers them in the server's
// place, and k6 compares bodies with them whose hash is declared. Base has the answers of head.
func recordAnswers(ctx context.Context, root string, targets []load.Target) error {
	for i := range targets {
		t := &targets[i]
		if t.Server.Declared == nil || t.Broken != nil || t.Side == "base" || t.Script != "" {
			continue
		}
		recorded, err := ask(ctx, root, t.Server, func(server.Exchange, error) bool { return false })
		size := 0
		for _, r := range recorded {
			size += len(r.Body)
		}
		if err == nil && size > mostRecorded {
			err = fmt.Errorf("the answers have %d MiB together; want at most %d, since k6 and the stub keep all of them; request less, or pick fewer values", size>>20, mostRecorded>>20)
		}
		if err != nil {
			if err := ownFault(ctx, t, err); err != nil {
				return err
			}
			continue
		}
		t.Recorded = recorded
		for j := range targets {
			if headOf(targets, j) == t {
				targets[j].Recorded = recorded
			}
		}
	}
	return nil
}

// mostRecorded limits all answers of a server, in bytes.
const mostRecorded = 8 << 20

// ownFault makes a fault of a server a fact about it. It returns faults of the machine.
func ownFault(ctx context.Context, t *load.Target, err error) error {
	if unable, ok := errors.AsType[process.Unable](err); ok || ctx.Err() != nil {
		return errors.Join(ctx.Err(), unable.Err)
	}
	t.Broken = fmt.Errorf("verify: %w", err)
	return nil
}

// ask starts a server with its services, and sends each of its requests once, with all values. goOn says whether to go on
// after a wrong answer; otherwise it is the error.
func ask(ctx context.Context, root string, s server.Server, goOn func(server.Exchange, error) bool) (recorded []server.Recorded, err error) {
	dir, remove, err := files.MkdirTemp("", "fairstream-answers-")
	if err != nil {
		return nil, process.Unable{Err: err}
	}
	defer remove() // best effort: a temporary directory
	port, stop, err := started(ctx, root, dir, s)
	if err != nil {
		return nil, err
	}
	defer stop()
	c := server.NewClient(port, answerLimit)
	defer c.Close()
	for _, e := range s.Declared.Exchanges() {
		got, err := c.Ask(ctx, e)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil && !goOn(e, err) {
			return nil, err
		}
		recorded = append(recorded, got)
	}
	return recorded, nil
}

// started starts a server with its services, on a port. Logs go to dir. stop ends all of them.
func started(ctx context.Context, root, dir string, s server.Server) (port int, stop func(), err error) {
	if port, err = process.FreePort(); err != nil {
		return 0, nil, err
	}
	with, err := services.For(ctx, root, dir, workload.Named(s.Workload), s.Needs(), false, "", process.FreePort)
	if err != nil {
		return 0, nil, err
	}
	var env []string
	if with != nil {
		database, err := with.Database(ctx)
		if err != nil {
			with.Stop()
			return 0, nil, process.Unable{Err: err}
		}
		env = database.Env()
	}
	p, err := launch.Start(ctx, s, port, "", env, filepath.Join(dir, "server.log"), launch.ReadyLimit(s))
	if err != nil {
		with.Stop()
		return 0, nil, err
	}
	return port, func() { p.Stop(); with.Stop() }, nil
}

// differentLoads says that servers of one run are not comparable; "" if they are.
func differentLoads(targets []load.Target) string {
	var of []string
	var names []string
	for _, t := range targets {
		if t.Server.Declared == nil || t.Side != "" {
			continue
		}
		if t.Script != "" { // two files may say the same, but hardly ever do
			of, names = append(of, t.Script), append(names, t.Server.Name)
			continue
		}
		text, err := json.Marshal(server.TrafficOf(*t.Server.Declared))
		if err != nil {
			panic(err) // they came from JSON
		}
		of, names = append(of, string(text)), append(names, t.Server.Name)
	}
	if len(slices.Compact(slices.Sorted(slices.Values(of)))) < 2 {
		return ""
	}
	return fmt.Sprintf("%s declare different requests or scripts, so their figures are not comparable; give them the same load, or load each alone", strings.Join(names, " and "))
}
