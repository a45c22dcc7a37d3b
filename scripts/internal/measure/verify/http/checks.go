// Package http has the checks of servers that declare their requests. Nobody wrote these servers for a benchmark, so
// ask only what a comparison needs: the same right answers under load, after a restart, and an end.
package http

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/sync/errgroup"

	"fairstream/scripts/internal/measure/server"
	"fairstream/scripts/internal/measure/verify"
)

// Checks lists all checks. They run one after the other, since all starts of a server share the data in its
// directory.
var Checks = []verify.Check{
	verify.ReadyWhen("H1", "the server answers its ready request within 30 s of its start"),
	verify.Alone("H2", "answers", true, "each request is answered as server.json says, with all of its values", answers),
	verify.Alone("H3", "in-a-row", true, "20 requests over one connection are answered as expected", inARow),
	// Without it each request of k6 opens a connection, which costs more than many answers.
	verify.Alone("H3", "keep-alive", false, "the server keeps a connection for 20 requests", keepsAlive),
	verify.Alone("H4", "at-once", true, "100 requests over 100 connections at once are answered as expected", atOnce),
	verify.Alone("H5", "restart", true, "after a kill and a new start, each request is answered as expected", restart),
	// Fairstream kills a server that stays, so the check is optional. The status does not matter: many good servers
	// end by the signal itself.
	verify.Alone("H6", "sigterm", false, "SIGTERM ends the server within 10 s", verify.EndsOnSIGTERM),
}

// answers sends each request once. Other checks would fail in the same way.
func answers(ctx context.Context, s *verify.Subject) error {
	if err := each(ctx, s); err != nil {
		return verify.Stop{Err: advised(err)}
	}
	return nil
}

// each sends all requests with all of their values, and lists the faults.
func each(ctx context.Context, s *verify.Subject) error {
	c := server.NewClient(s.Port, verify.Patience)
	defer c.Close()
	var faults []error
	failed := map[int]bool{} // requests, since all values of one mostly fail in the same way
	for _, e := range server.TrafficOf(*s.Manifest.Declared).Exchanges {
		if failed[e.Of] {
			continue
		}
		if _, err := c.Ask(ctx, e); err != nil {
			faults, failed[e.Of] = append(faults, err), true
		}
	}
	return errors.Join(faults...)
}

// ring is n exchanges, which the load would send too.
func ring(s *verify.Subject, n int) (all []server.Exchange) {
	l := server.TrafficOf(*s.Manifest.Declared)
	order := l.Order(1)
	for i := range n {
		all = append(all, l.Exchanges[order[i%len(order)]])
	}
	return all
}

const row = 20

func inARow(ctx context.Context, s *verify.Subject) error {
	_, err := sendRow(ctx, s)
	return advised(err)
}

// advised says what to do about a wrong answer.
func advised(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w\n    mend the server, or what %s expects of it", err, server.File)
}

func keepsAlive(ctx context.Context, s *verify.Subject) error {
	dialled, err := sendRow(ctx, s)
	if err == nil && dialled > 1 {
		err = fmt.Errorf("%d requests took %d connections; want 1", row, dialled)
	}
	return err
}

func sendRow(ctx context.Context, s *verify.Subject) (dialled int, err error) {
	c := server.NewClient(s.Port, verify.Patience)
	defer c.Close()
	for n, e := range ring(s, row) {
		if _, err := c.Ask(ctx, e); err != nil {
			return 0, fmt.Errorf("request %d in a row: %w", n+1, err)
		}
	}
	return c.Dialled(), nil
}

const crowd = 100

// atOnce opens all connections before it sends on any.
func atOnce(ctx context.Context, s *verify.Subject) error {
	open := make(chan struct{})
	group, ctx := errgroup.WithContext(ctx)
	var clients errgroup.Group
	for n, e := range ring(s, crowd) {
		c := server.NewClient(s.Port, verify.Patience*3) // 100 answers of a slow server take their time
		clients.Go(func() error { return c.Dial(ctx) })
		group.Go(func() error {
			defer c.Close()
			<-open
			if _, err := c.Ask(ctx, e); err != nil {
				return fmt.Errorf("request %d of %d at once: %w", n+1, crowd, err)
			}
			return nil
		})
	}
	err := clients.Wait()
	close(open)
	if all := group.Wait(); err == nil {
		err = all
	}
	return advised(err)
}

// restart also sends all requests before, so that a server whose data they change must prepare it again.
func restart(ctx context.Context, s *verify.Subject) error {
	if err := each(ctx, s); err != nil {
		return err
	}
	if err := s.Restart(ctx); err != nil {
		return err
	}
	if err := each(ctx, s); err != nil {
		return fmt.Errorf("after a new start: %w\n    \"before\" in server.json can prepare the data of each start", err)
	}
	return nil
}
