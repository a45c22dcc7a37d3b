// Package agent has the checks of servers/agent/README.md. The stub's model knows all that it said, so it refuses a
// history that lacks a message. Its tools answer only when all of a turn are open, so no check needs a clock.
package agent

import "fairstream/scripts/internal/measure/verify"

// Checks lists all checks in the order of the contract's clauses. No check can run without the first two. The
// README has the reason for each check that is optional.
var Checks = []verify.Check{
	verify.Ready("A1"),
	first(must("A3", "answers", "POST /threads makes a thread, and POST /threads/ID/messages answers with events", answers)),

	must("A1", "pool", "all connections to the database are open when the server is ready", pool),

	must("A2", "threads", "threads are created, read, renamed and deleted", threads),
	must("A2", "pages", "GET /threads lists the newest first, in pages", pages),
	must("A2", "unknown", "an unknown thread gets 404", unknown),
	must("A2", "malformed", "an id, limit or body that cannot be read gets 400", malformed),
	must("A2", "fresh", "a row that another program changes is in the next answer", fresh),

	must("A3", "lock-step", "each token arrives before the model has said the next", lockStep),
	must("A3", "lock-step-200", "the same with 200 runs at once", lockStepCrowd),
	must("A3", "events", "a run has its events in order, and each once", eventsOfARun),
	must("A3", "history", "the model gets all messages of the thread, in order, also those of another program", history),
	must("A3", "unicode", "texts of any characters arrive and are stored unchanged", unicode),

	must("A4", "tools", "the events of tools come, and their results are stored", tools),
	must("A4", "at-once", "the tools of a turn run at the same time", atOnce),
	must("A4", "turn-16", "a run of 16 turns is complete", sixteen),
	must("A4", "turn-17", "a run ends with error after 16 turns, and the thread can go on", seventeen),
	must("A4", "failed-tool", "the model gets the error of a tool that fails", failedTool),

	must("A5", "agents", "an agent has a history of its own, and its tokens carry its call", agents),
	must("A5", "agents-at-once", "two agents run at the same time", agentsAtOnce),

	must("A6", "image-in", "an image of 8 MB reaches the model unchanged, and is stored", imageIn),
	should("A6", "image-out", "an image of the model reaches the client unchanged, and is stored", imageOut),

	must("A7", "announced", "a message is committed when stored announces it", announced),
	must("A7", "killed", "what done announced is there after kill -9", killed),
	must("A7", "whole-turn", "a turn that breaks off leaves nothing", wholeTurn),

	must("A8", "live", "subscribers get each event once and in order", live),
	must("A8", "late", "a subscriber that comes late gets the run from its start", late),
	must("A8", "resumed", "one that comes back with Last-Event-ID gets the rest", resumed),
	must("A8", "two-processes", "one at another process gets the same", twoProcesses),
	must("A8", "stalled-subscriber", "one that does not read is dropped, and slows nobody", stalledSubscriber),

	must("A9", "busy", "a second message gets 409 while the thread has a run", busy),
	must("A9", "busy-two-processes", "the same in another process", busyTwoProcesses),
	must("A9", "model-fails", "a run ends with error when the model answers 500, and the next run works", modelFails),
	must("A9", "model-cut", "the same when the model's answer breaks off", modelCut),
	must("A9", "model-ends", "the same when the answer ends in its middle, without [DONE]", modelEnds),
	must("A9", "agent-fails", "when the model of one agent answers 500, the run ends, and the model's answer to the other too", agentFails),
	must("A9", "leave", "when the client leaves, the model's answer ends, and the next run works", leave),
	must("A9", "leave-tool", "when the client leaves, its tools end", leaveTool),
	must("A9", "no-database", "without a database the answer is 503, and later it works again", noDatabase),

	must("A10", "crowd", "200 runs at once complete, each with its own text", crowd),
	must("A10", "reuse", "50 runs one after the other use at most 3 connections upstream", reuse),
	must("A10", "sequential", "200 requests on one connection", sequential),
	should("A10", "quiet", "nothing is printed per run", quiet),
	should("A10", "restart", "a new process can listen on the port at once", restart),
	must("A10", "sigterm", "SIGTERM finishes open runs, refuses new ones, and exits with 0", sigterm),
}
