package raw

import "fairstream/k6/shared/hist"

// Counts are what k6 counted of one target. They are sums, so those of slices are added. Streams and plain
// requests share most of them; the rest stays empty.
type Counts struct {
	Started, OK int64
	Retried     int64             // sent twice, since the server had closed an idle connection
	Failed      map[string]int64  // by kind
	Reasons     map[string]string // text of the first failure of each kind
	Request     hist.Counts       // to the last byte
	Connect     hist.Counts

	// Of streams of tokens only. Tokens is nil for requests, and when an older k6 did not count them.
	Tokens                      *int64
	Doubled, NegativeTokenDelay int64
	TokenDelay                  hist.Counts

	TTFT, Itl hist.Counts // of streams of tokens, and of requests that are answered with events

	// Of plain requests only.
	Bytes      int64 // of the bodies of correct answers
	Counted    int64 // events of streams that a scenario counts, in failed requests too
	TTFB, Late hist.Counts
	FirstToken hist.Counts // of streams whose tokens have a name
	FanOut     hist.Counts // of followers of a stream
}

func ofStreams(s hist.Series) Counts {
	return Counts{
		Started: s.Started, OK: s.OK, Retried: s.Retried, Failed: s.Failed, Reasons: s.Reasons, Request: s.Stream, Connect: s.Connect,
		Tokens: s.Tokens, Doubled: s.Doubled, NegativeTokenDelay: s.NegativeTokenDelay, TTFT: s.TTFT, Itl: s.Itl, TokenDelay: s.TokenDelay,
	}
}

func ofRequests(s hist.RequestSeries) Counts {
	c := Counts{
		Started: s.Started, OK: s.OK, Retried: s.Retried, Failed: s.Failed, Reasons: s.Reasons, Request: s.Request, Connect: s.Connect,
		Bytes: s.Bytes, Counted: s.Counted, TTFB: s.TTFB, Late: s.Late, TTFT: s.TTFT, Itl: s.Itl,
	}
	if s.FirstToken != nil {
		c.FirstToken = *s.FirstToken
	}
	if s.FanOut != nil {
		c.FanOut = *s.FanOut
	}
	return c
}

// merge adds the counts of one more slice. Failed and Reasons must not be nil.
func (c *Counts) merge(o Counts) {
	if o.Tokens != nil && c.Tokens != nil {
		*c.Tokens += *o.Tokens
	} else if o.Started > 0 { // k6 writes no series for a slice without a request
		c.Tokens = nil
	}
	for kind, n := range o.Failed {
		if c.Failed[kind] == 0 && o.Reasons[kind] != "" {
			c.Reasons[kind] = o.Reasons[kind]
		}
		c.Failed[kind] += n
	}
	c.Started, c.OK, c.Bytes = c.Started+o.Started, c.OK+o.OK, c.Bytes+o.Bytes
	c.Counted, c.Retried = c.Counted+o.Counted, c.Retried+o.Retried
	c.Doubled, c.NegativeTokenDelay = c.Doubled+o.Doubled, c.NegativeTokenDelay+o.NegativeTokenDelay
	for _, of := range []struct {
		to   *hist.Counts
		from hist.Counts
	}{{&c.Request, o.Request}, {&c.Connect, o.Connect}, {&c.TTFT, o.TTFT}, {&c.Itl, o.Itl}, {&c.TokenDelay, o.TokenDelay}, {&c.TTFB, o.TTFB}, {&c.Late, o.Late}, {&c.FirstToken, o.FirstToken}, {&c.FanOut, o.FanOut}} {
		of.to.Merge(of.from)
	}
}
