// Package agent is the fake model of the workload agent, and its tools. It answers chat completions of the OpenAI API,
// streamed or whole, and asks for tools as the user's message says (script.go). All that it says follows from that
// message, so it knows what it said before. It refuses a history that does not fit (history.go). A server that loses or
// mixes up a history so fails, and does not just look fast.
package agent

import "fairstream/stub/common"

// Routes are what this workload answers.
var Routes = []common.Route{
	{Method: "POST", Path: "/agent/v1/chat/completions", Answer: chat},
	{Method: "POST", Path: "/agent/tools/lookup", Answer: lookup},
}
