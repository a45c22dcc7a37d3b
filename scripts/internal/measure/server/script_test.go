package server

import (
	"strings"
	"testing"
)

const scripted = `{"workload": "scripted", "language": "go", "framework": "none", "build": ["true"], "run": ["x"], "versions": {"go": ["go"]}, `

func TestAServerWithAScript(t *testing.T) {
	s, err := Parse([]byte(scripted+`"script": "./k6/load.js", "base_url": "https://localhost:$PORT/v1", "ready": "/health", "services": ["redis", "postgres"], "limits": {"memory_mb": 200}}`), "/srv/shop")
	if err != nil {
		t.Fatal(err)
	}
	d := s.Declared
	if d.Script != "k6/load.js" || d.URL(4000) != "https://localhost:4000/v1" || !d.TLS() || d.Ready.Path != "/health" || !s.Needs().Postgres || !s.Needs().Redis || d.Limits["memory_mb"] != 200 {
		t.Errorf("%+v", d)
	}
	if s, err := Parse([]byte(scripted+`"script": "load.js"}`), "/srv/shop"); err != nil || s.Declared.URL(4000) != "http://127.0.0.1:4000" || s.Declared.Ready.Path != "" || s.Needs().Any() {
		t.Errorf("%+v, %v", s.Declared, err)
	}
	for keys, want := range map[string]string{
		`"requests": [{"path": "/"}], "script": "x"}`: `unknown key "requests" for the workload scripted; known are workload, language, framework, build, run, versions, was, reference, script, base_url, ready, before, env, services, margins, limits; servers of http have it`,
		`"env": {}}`:                                        `key "script" is missing or empty; want the path of a k6 script`,
		`"script": "x", "env": {"K6_VUS": "1"}}`:            `env: K6_VUS: it changes the load of the script`,
		`"script": "x", "env": {"BASE_URL": "x"}}`:          `env: BASE_URL: it changes`,
		`"script": 5}`:                                      `key "script" is 5; want the path`,
		`"script": "../load.js"}`:                           `script: "../load.js": is not in the server's directory`,
		`"script": "/etc/load.js"}`:                         `script: "/etc/load.js": is not in the server's directory`,
		`"script": "x", "base_url": "http://127.0.0.1"}`:    `key "base_url" is "http://127.0.0.1"; want an address on this machine with $PORT`,
		`"script": "x", "base_url": "http://a.org:$PORT/"}`: `want an address on this machine with $PORT`,
		`"script": "x", "services": []}`:                    `key "services" is []; want a list with some of "postgres" and "redis"`,
		`"script": "x", "services": ["kafka"]}`:             `services: "kafka": unknown`,
		`"script": "x", "limits": {"p95": 3}}`:              `limits: unknown key "p95"; known are latency_p95_ms, memory_mb`,
		`"script": "x", "limits": 5}`:                       `key "limits" is 5; want an object of names to numbers`,
	} {
		if _, err := Parse([]byte(scripted+keys), "/srv/shop"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %q", keys, err, want)
		}
	}
}
