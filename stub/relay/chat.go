// Package relay is the fake model of the workload relay. It answers POST /v1/chat/completions with a
// deterministic stream in the exact chat.completion.chunk format of the OpenAI API. The user's
// message sets the pace (script.go) and the faults (fault.go). It does not answer without
// streaming, except with @json=1.
package relay

import (
	"time"

	"fairstream/stub/common"
)

// Routes are what this workload answers.
var Routes = []common.Route{{Method: "POST", Path: "/v1/chat/completions", Answer: chat}}

// chat answers one chat request. It returns false when the connection must not be reused.
func chat(c *common.Conn, r *common.Request) bool {
	start := time.Now()
	number := c.Server.Stats.Requests.Add(1)
	p := parse(r)
	if p.err != nil {
		return c.Fail(400, p.err.Error())
	}
	answer, err := c.Begin(r, number, start, p.script.Script)
	if err != nil {
		return c.Fail(400, err.Error())
	}
	usage := p.chat.StreamOptions.IncludeUsage
	p.encoder.begin(answer.ID, p.chat.Model, start, usage, p.script.faults)
	st := &stream{Answer: answer, script: p.script, encoder: &p.encoder}
	outcome := st.send(usage, p.promptTokens)
	answer.End(outcome)
	return outcome != common.Cancelled && !st.spent && !st.close && !st.hangup
}
