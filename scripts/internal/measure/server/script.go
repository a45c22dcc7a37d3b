package server

import (
	"encoding/json"
	"fmt"
	"net/url"
	"path"
	"strconv"
	"strings"

	"fairstream/k6/shared/strict"
	"fairstream/scripts/internal/workload"
)

// usualURL is the address of a server for its script.
const usualURL = "http://127.0.0.1:$PORT"

// parseScript reads the keys of a server with a k6 script.
func (d *Declaration) parseScript(k Keys) (err error) {
	if strict.Decode(k.Script, &d.Script) != nil || d.Script == "" {
		return fmt.Errorf(`key "script" is %s; want the path of a k6 script in this directory, such as "load.js"`, short(k.Script))
	}
	if d.Script = path.Clean(d.Script); path.IsAbs(d.Script) || d.Script == ".." || strings.HasPrefix(d.Script, "../") {
		return fmt.Errorf("script: %q: is not in the server's directory; want a path below it, such as \"load.js\"", d.Script)
	}
	d.BaseURL = usualURL
	if k.BaseURL != nil {
		if d.BaseURL, err = parseBaseURL(k.BaseURL); err != nil {
			return err
		}
	}
	if k.Ready != nil {
		d.Ready, err = readyPath(k.Ready)
	}
	return err
}

func parseBaseURL(text json.RawMessage) (base string, err error) {
	err = strict.Decode(text, &base)
	u, wrong := url.Parse(strings.ReplaceAll(base, "$PORT", "1"))
	if err != nil || wrong != nil || u.Port() != "1" || u.Hostname() != "127.0.0.1" && u.Hostname() != "localhost" {
		return "", fmt.Errorf(`key "base_url" is %s; want an address on this machine with $PORT, such as "https://127.0.0.1:$PORT"`, short(text))
	}
	return base, nil
}

// URL is the address of a server on a port, for its script.
func (d Declaration) URL(port int) string {
	return strings.ReplaceAll(d.BaseURL, "$PORT", strconv.Itoa(port))
}

// TLS reports whether the server speaks TLS.
func (d Declaration) TLS() bool {
	return strings.HasPrefix(d.BaseURL, "https://") || strings.HasPrefix(d.BaseURL, "wss://")
}

// parseServices reads what each start of the server needs for itself.
func parseServices(text json.RawMessage) (needs workload.Needs, err error) {
	var names []string
	if err := strict.Decode(text, &names); err != nil || len(names) == 0 {
		return needs, fmt.Errorf(`key "services" is %s; want a list with some of "postgres" and "redis"`, short(text))
	}
	for _, name := range names {
		switch name {
		case "postgres":
			needs.Postgres = true
		case "redis":
			needs.Redis = true
		default:
			return needs, fmt.Errorf(`services: %.60q: unknown; known are "postgres" and "redis". "before" can start what else a server needs`, name)
		}
	}
	return needs, nil
}

// Needs are the services of a server: those of its workload, and its own.
func (s Server) Needs() workload.Needs {
	needs := workload.Named(s.Workload).Needs()
	if s.Declared != nil {
		needs = needs.And(s.Declared.Services)
	}
	return needs
}
