package compare

import (
	"context"

	"fairstream/scripts/internal/measure/load"
	"fairstream/scripts/internal/measure/session"
	"fairstream/scripts/internal/workload"
)

// A Make turns the code of base and head into something else, such as by a change in head.
type Make func(ctx context.Context, targets []load.Target) error

// Made compares a server with what make does to it, at the revisions c.Base.Ref and c.Head.Ref. A side that
// cannot be loaded is an error, since make is then wrong.
func (c *Comparison) Made(ctx context.Context, options session.Options, server workload.Server, make Make) error {
	if err := c.resolve(ctx, c.Root); err != nil {
		return err
	}
	servers := []workload.Server{server}
	s, done, err := c.begin(ctx, servers, options)
	if err != nil {
		return err
	}
	defer done()
	c.Loader = MakingLoader{loader{s, c.Root}, make}
	return c.Servers(ctx, servers)
}

// A MakingLoader changes the code that another loader extracts.
type MakingLoader struct {
	Loader
	Make Make
}

func (l MakingLoader) Checkout(ctx context.Context, servers []workload.Server, sides []session.Side) (targets []load.Target, release func() error, err error) {
	targets, release, err = l.Loader.Checkout(ctx, servers, sides)
	if err != nil {
		return nil, nil, err
	}
	if err = load.FirstBroken(targets); err == nil {
		err = l.Make(ctx, targets)
	}
	if err != nil {
		_ = release() // best effort: a temporary directory
		return nil, nil, err
	}
	return targets, release, nil
}

func (l MakingLoader) Prepare(ctx context.Context, targets []load.Target, built func([]load.Target)) error {
	if err := l.Loader.Prepare(ctx, targets, built); err != nil {
		return err
	}
	return load.FirstBroken(targets)
}
