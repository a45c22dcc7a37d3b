package workload

// A Framework is a server that has another agent than a plain server of its language, and else the same files.
type Framework struct {
	Server, Plain string
	EarlyTools    bool // it starts a tool while the model still speaks
}

// An Addition is a figure of a framework beside that of its plain server: times as much, or how much more.
type Addition struct {
	Part
	More       bool
	AfterModel bool // a time that begins when the model ends, so early tools make it too low
}

var agentFrameworks = []Framework{
	{Server: "bun-ai-sdk", Plain: "bun-http", EarlyTools: true},
	{Server: "go-eino", Plain: "go-http"},
	{Server: "node-ai-sdk", Plain: "node-fastify", EarlyTools: true},
	{Server: "node-langchain", Plain: "node-fastify"},
	{Server: "python-langchain", Plain: "python-starlette"},
}

var agentAdditions = []Addition{
	{Part: Part{"run of one turn, CPU: times", agentCost, "turn", "", 1}},
	{Part: Part{"each more turn with two tools, CPU: times", agentCost, "tools", "turn", 2}},
	{Part: Part{"each agent, CPU: times", agentCost, "agents", "turn", 2}},
	{Part: Part{"each more token, CPU: us more", Column{agentCost.Metric, 0, 1, false}, "tokens", "turn", 180}, More: true},
	{Part: Part{"first token, p95: ms more", Column{"first_token_p95_ms", 1, 1, false}, "turn", "", 1}, More: true},
	{Part: Part{"time between turns, p95: ms more", Column{"turn_overhead_p95_ms", 1, 1, false}, "tools", "", 1}, More: true, AfterModel: true},
	{Part: Part{"run that waits for the model, p50: times", Column{"request_p50_ms", 0, 1, false}, "waits", "", 1}},
	{Part: Part{"runs/s at stress-32: times", ratePerS, "stress-32", "", 1}},
	{Part: Part{"peak RSS at stress-32: times", PeakRSS, "stress-32", "", 1}},
	{Part: Part{"peak RSS at stress-32: MB more", PeakRSS, "stress-32", "", 1}, More: true},
	{Part: Part{"start: ms more", FirstAnswer, "turn", "", 1}, More: true},
	{Part: Part{"deployed: MB more", Deployed, "turn", "", 1}, More: true},
}
