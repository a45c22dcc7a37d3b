package hist

// A Script is what a k6 script of somebody's own did, beside its figures. It covers the whole run, with the warm-up.
type Script struct {
	Iterations int64            `json:"iterations"`
	Hosts      map[string]int64 `json:"hosts"` // requests and sessions by host and port
	Checks     []Check          `json:"checks"`
	Thresholds []Threshold      `json:"thresholds"`
}

// UnknownHost stands for the hosts of requests that have a name in place of their URL.
const UnknownHost = "?"

// A Check is a check() of a script.
type Check struct {
	Name   string `json:"name"`
	Passed int64  `json:"passed"`
	Failed int64  `json:"failed"`
}

// A Threshold is one of a script's options.
type Threshold struct {
	Metric  string `json:"metric"` // such as http_req_duration
	Text    string `json:"text"`   // such as p(95)<200
	Crossed bool   `json:"crossed"`
}
