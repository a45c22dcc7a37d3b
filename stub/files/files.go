// Package files is the fake upstream of the workload files. It answers GET and HEAD of /files/NAME
// with a file whose bytes follow from its name. The name also chooses pace and faults (name.go). It
// has no directory, no ranges and no conditional requests.
package files

import (
	"time"

	"fairstream/stub/common"
)

// Routes are what this workload answers.
var Routes = []common.Route{
	{Method: "GET", Path: prefix, Answer: answer},
	{Method: "HEAD", Path: prefix, Answer: answer},
}

const prefix = "/files/"

// answer answers one request. It returns false when the connection must not be reused.
func answer(c *common.Conn, r *common.Request) bool {
	start := time.Now()
	number := c.Server.Stats.Requests.Add(1)
	p := parse(r)
	if p.err != nil {
		return c.Fail(400, p.err.Error())
	}
	a, err := c.Begin(r, number, start, p.script.Script)
	if err != nil {
		return c.Fail(400, err.Error())
	}
	t := &transfer{Answer: a, script: &p.script, headOnly: r.Method == "HEAD"}
	outcome := t.send(p.file())
	a.End(outcome)
	return outcome != common.Cancelled && !t.spent && !t.close && !t.hangup
}

// A parsed is a name that was read. A repeated request reuses it.
type parsed struct {
	script script
	err    error
	kept   *file
}

func parse(r *common.Request) *parsed {
	if p, ok := r.Memo.(*parsed); ok {
		return p
	}
	p := &parsed{}
	p.script, p.err = parseName(r.URL.Path[len(prefix):])
	r.Memo = p
	return p
}

func (p *parsed) file() *file {
	if p.kept == nil {
		p.kept = ready.get(p.script.key)
	}
	return p.kept
}
