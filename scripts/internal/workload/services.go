package workload

// Needs are the services that each start of a server gets for itself.
type Needs struct{ Postgres, Redis bool }

// Any reports whether there is one.
func (n Needs) Any() bool { return n.Postgres || n.Redis }

// And are the needs of two servers together.
func (n Needs) And(o Needs) Needs { return Needs{n.Postgres || o.Postgres, n.Redis || o.Redis} }

// Needs are those of all servers of a workload.
func (w Workload) Needs() Needs { return Needs{w.Database, w.Database} }
