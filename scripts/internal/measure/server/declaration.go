package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"fairstream/k6/shared/request"
	"fairstream/k6/shared/strict"
	"fairstream/scripts/internal/workload"
)

// Keys are the keys of a manifest that only servers with a load of their own have: requests, or a k6 script.
type Keys struct {
	Requests json.RawMessage `json:"requests"`
	Script   json.RawMessage `json:"script"`
	BaseURL  json.RawMessage `json:"base_url"`
	Ready    json.RawMessage `json:"ready"`
	Before   json.RawMessage `json:"before"`
	Env      json.RawMessage `json:"env"`
	Services json.RawMessage `json:"services"`
	Margins  json.RawMessage `json:"margins"`
	Limits   json.RawMessage `json:"limits"`
}

// A key is one of Keys, by its name.
type key struct {
	name  string
	value json.RawMessage // nil: it is not there
}

func (k Keys) all() []key {
	return []key{
		{"requests", k.Requests}, {"script", k.Script}, {"base_url", k.BaseURL}, {"ready", k.Ready}, {"before", k.Before},
		{"env", k.Env}, {"services", k.Services}, {"margins", k.Margins}, {"limits", k.Limits},
	}
}

// declaredKeys are the keys of a workload; nil if its servers have no load of their own.
func declaredKeys(w workload.Workload) []string {
	common := []string{"ready", "before", "env", "services", "margins", "limits"}
	switch {
	case w.Declares:
		return append([]string{"requests"}, common...)
	case w.Scripted:
		return append([]string{"script", "base_url"}, common...)
	}
	return nil
}

// A Declaration is the content of those keys.
type Declaration struct {
	Requests []Request         // nil with a script
	Script   string            // path of a k6 script below the server's directory; "" with requests
	BaseURL  string            // of the server for its script, with $PORT
	Ready    Exchange          // is answered as expected once the server is ready; without a path, once it listens
	Before   []string          // command that prepares data before each start; nil: none
	Env      map[string]string // of Before, of the server and of its script, besides PORT
	Services workload.Needs    // that each start gets for itself
	Margins  map[string]float64
	Limits   map[string]float64
}

// ParseDeclaration reads and checks the keys of a server with a script, or with requests.
func ParseDeclaration(k Keys) (d Declaration, err error) {
	if k.Script != nil {
		err = d.parseScript(k)
	} else {
		err = d.parseRequests(k)
	}
	if err != nil {
		return d, err
	}
	if k.Before != nil {
		if err := strict.Decode(k.Before, &d.Before); err != nil || len(d.Before) == 0 || d.Before[0] == "" {
			return d, fmt.Errorf(`key "before" is %s; want a command as a list of words, such as ["sh", "prepare.sh"]`, short(k.Before))
		}
	}
	if k.Env != nil {
		if d.Env, err = parseEnv(k.Env); err != nil {
			return d, err
		}
		for name := range d.Env {
			if d.Script != "" && (name == "BASE_URL" || strings.HasPrefix(name, "K6_")) {
				return d, fmt.Errorf("env: %s: it changes the load of the script, and Fairstream sets BASE_URL; set options in the script, and give the variable another name", name)
			}
		}
	}
	if k.Services != nil {
		if d.Services, err = parseServices(k.Services); err != nil {
			return d, err
		}
	}
	if k.Margins != nil {
		if d.Margins, err = parseNumbers("margins", k.Margins, workload.CheckMargins, `of names to per cent, such as {"cpu_pct": 5}`); err != nil {
			return d, err
		}
	}
	if k.Limits != nil {
		if d.Limits, err = parseNumbers("limits", k.Limits, workload.CheckLimits, `of names to numbers, such as {"latency_p95_ms": 200}`); err != nil {
			return d, err
		}
	}
	return d, nil
}

// parseRequests reads the requests, and which of them says that the server is ready.
func (d *Declaration) parseRequests(k Keys) (err error) {
	var all []json.RawMessage
	if err := strict.Decode(k.Requests, &all); err != nil || len(all) == 0 {
		return errors.New(`key "requests" is missing or empty; want a list of requests, such as [{"path": "/"}]`)
	}
	if len(all) > mostExchanges {
		return tooMany(len(all)) // each has a value at least
	}
	labels, size := map[string]bool{}, 0
	for i, text := range all {
		r, err := parseRequest(text)
		if err == nil && labels[r.Label()] {
			err = errors.New(`another request has this name; want a "name" that no other has`)
		}
		if err != nil {
			return fmt.Errorf("requests: %s: %w", place(i, r), err)
		}
		if size += r.choices() * r.size(); size > mostText {
			return fmt.Errorf("requests: %s: more than %d MiB with all of their values; want at most %[2]d MiB, "+
				"since k6 keeps each in memory; pick fewer values, or shorter texts", place(i, r), mostText>>20)
		}
		labels[r.Label()] = true
		d.Requests = append(d.Requests, r)
	}
	if n := len(d.Exchanges()); n > mostExchanges {
		return tooMany(n)
	}
	if n := TrafficOf(*d).places(); n > mostPlaces {
		return fmt.Errorf("requests: weights and values make a ring of %d requests; want at most %d; pick fewer values, or weights that are more alike", n, mostPlaces)
	}
	d.Ready, err = readyExchange(k.Ready, *d)
	return err
}

// With is the declaration with other requests.
func (d Declaration) With(all []Request) Declaration {
	d.Requests = all
	return d
}

// mostExchanges limits the requests with all of their values.
const mostExchanges = 1000

// mostText limits the texts of all exchanges, in bytes.
const mostText = 64 << 20

func tooMany(n int) error {
	return fmt.Errorf("requests: %d with all of their values; want at most %d, since k6 keeps each in memory; "+
		"pick fewer values", n, mostExchanges)
}

// place names a request in an error: its number and, if it is known, its name.
func place(i int, r Request) string {
	if r.Path == "" {
		return fmt.Sprintf("number %d", i+1)
	}
	return fmt.Sprintf("number %d (%s)", i+1, r.Label())
}

// readyExchange is GET of the path that the key names. Without the key it is the first GET of the requests.
func readyExchange(key json.RawMessage, d Declaration) (Exchange, error) {
	if key != nil {
		return readyPath(key)
	}
	for _, e := range d.Exchanges() {
		if e.Method == "GET" {
			e.Answer, e.SHA256 = request.Answer{Status: e.Answer.Status, AnyBody: true}, "" // the rest is for the checks
			return e, nil
		}
	}
	return Exchange{}, errors.New(`key "ready" is missing, and no request is a GET; want a path that answers GET with 200 once the server is ready, such as "/health"`)
}

// readyPath is GET of a path.
func readyPath(key json.RawMessage) (Exchange, error) {
	var path string
	if err := strict.Decode(key, &path); err != nil || !pathForm.MatchString(path) {
		return Exchange{}, fmt.Errorf(`key "ready" is %s; want a path that answers 200 once the server is ready, such as "/health"`, short(key))
	}
	return Exchange{Request: request.Request{Name: "ready", Method: "GET", Path: path, Answer: request.Answer{Status: 200, AnyBody: true}}}, nil
}

var envForm = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

func parseEnv(text json.RawMessage) (env map[string]string, err error) {
	if err := strict.Decode(text, &env); err != nil || env == nil {
		return nil, fmt.Errorf(`key "env" is %s; want an object of names to texts, such as {"WORKERS": "2"}`, short(text))
	}
	for _, name := range slices.Sorted(maps.Keys(env)) {
		switch {
		case !envForm.MatchString(name) || strings.ContainsRune(env[name], 0):
			return nil, fmt.Errorf("env: %q is not the name of a variable, or its value has a zero byte; want letters, digits and _", name)
		case name == "PORT":
			return nil, errors.New("env: PORT: Fairstream sets it, since base and head run at the same time; read $PORT in the server")
		case name == "PATH", name == "IFS", name == "BASH_ENV", name == "ENV", strings.HasPrefix(name, "LD_"), name == "GLIBC_TUNABLES":
			return nil, fmt.Errorf("env: %s: it decides which code runs, and that must be the program that was built; change \"run\" or the program instead", name)
		}
	}
	return env, nil
}

func parseNumbers(key string, text json.RawMessage, check func(map[string]float64) error, want string) (numbers map[string]float64, err error) {
	if err := strict.Decode(text, &numbers); err != nil || numbers == nil {
		return nil, fmt.Errorf(`key %q is %s; want an object %s`, key, short(text), want)
	}
	if err := check(numbers); err != nil {
		return nil, fmt.Errorf("%s: %w", key, err)
	}
	return numbers, nil
}

// short limits a value in an error.
func short(text json.RawMessage) string {
	var compact bytes.Buffer
	if json.Compact(&compact, text) != nil || compact.Len() > 60 {
		return "of another form"
	}
	return compact.String()
}
