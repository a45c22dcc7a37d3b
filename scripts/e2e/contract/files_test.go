package contract

// files is the suite of the workload of that name.
var files = suite{workload: "files", program: "wrongfiles", brief: "buffers-all", noAnswer: "GET /files/", fails: map[string]string{
	"right": "",
	"exits": "ready",

	"rejects-all":   "answers",
	"never-answers": "answers",
	"octet-stream":  "answers types head",
	"drops-charset": "types",
	"drops-length":  "length head",
	"as-text":       "binary",
	"one-read":      "pieces lock-step-small",
	"compresses":    "gzip",
	"head-is-404":   "head",
	"limits-1-mb":   "exact stalled-reader slow-reader crosstalk",
	"empty-is-502":  "exact chunked close-delimited sequential head",
	"length-only":   "binary types lock-step-chunked chunked chunk-trailers close-delimited sequential",

	"buffers-all":       fileSteps + "lock-step-large length stalled-reader leave-unread",
	"buffers-64k":       fileSteps + "lock-step-large length",
	"buffers-chunks":    "lock-step-chunked",
	"second-buffered":   "lock-step-reused",
	"unbounded":         "stalled-reader leave-unread",
	"leaks":             "aborts",
	"never-cancels":     "leave-mid-body leave-before-body leave-before-header leave-unread aborts",
	"cancels-when-sent": "leave-mid-body leave-before-body leave-before-header aborts",
	"slow-is-cut":       "slow-reader stalled-reader",

	"ends-cleanly":   "length head " + breaks,
	"chunks-cleanly": "cut-chunked ends-early-chunked",
	"pads":           "cut cut-at-once ends-early",
	"hangs-if-cut":   breaks + "aborts",
	"404-is-502":     "not-found",
	"passes-500":     "status-500",
	"refused-is-500": "refused",
	"answers-all":    "paths",

	"at-most-100":      "lock-step-200 crowd-500",
	"pool-of-100":      "lock-step-200 crowd-500",
	"dials-anew":       "reuse",
	"one-request":      "exact gzip head lock-step-reused reuse sequential",
	"100-requests":     "sequential",
	"never-closes":     breaks + "connection-close",
	"reuses-half-read": breaks + "not-found status-500 aborts leave-mid-body leave-before-body leave-unread stale crosstalk",
	"own-http":         "chunk-trailers close-delimited reuse",

	"prints":           "quiet",
	"port-stays-taken": "restart",
	"dies-at-sigterm":  "sigterm",
	"ignores-sigterm":  "sigterm",
	"fails-at-sigterm": "sigterm",
}}

const (
	fileSteps = "lock-step lock-step-small lock-step-chunked lock-step-reused lock-step-200 "
	breaks    = "cut cut-chunked cut-at-once ends-early ends-early-chunked "
)
