package server

import (
	"strings"
	"testing"

	"fairstream/scripts/internal/workload"
)

// declares is the name of a workload whose servers declare their requests.
func declares(t *testing.T) string {
	t.Helper()
	for _, w := range workload.All {
		if w.Declares {
			return w.Name
		}
	}
	t.Fatal("no workload declares")
	return ""
}

func TestOnlySomeWorkloadsHaveRequestsOfTheirOwn(t *testing.T) {
	own := strings.Replace(with("workload", `"`+declares(t)+`"`), "{", `{ "requests": [{"path": "/", "answer": {"text": "hi"}}],`, 1)
	s, err := Load(server(t, "mine", own))
	if err != nil || len(s.Declared.Requests) != 1 {
		t.Fatalf("%+v, %v", s.Declared, err)
	}
	if s, err := Load(server(t, "gin", good)); err != nil || s.Declared != nil {
		t.Errorf("relay: %+v, %v; want none declared", s.Declared, err)
	}
	add := func(key, value string) string { return strings.Replace(good, "{", "{ \""+key+"\": "+value+",", 1) }
	for key, value := range map[string]string{"requests": `[]`, "ready": `"/"`, "before": `["x"]`, "margins": `{}`} {
		have := "http and scripted"
		if key == "requests" {
			have = "http"
		}
		refused(t, "gin", add(key, value), `unknown key "`+key+`" for the workload relay, whose contract says what a server does; known are `+keys+"; servers of "+have+" have it")
	}
	refused(t, "mine", strings.Replace(own, `"path"`, `"pth"`, 1), `requests: number 1: unknown key "pth"; a request has name, method, path, headers, body, json, weight, values, answer`)
	refused(t, "mine", strings.Replace(own, `"requests"`, `"reqests"`, 1), `unknown key "reqests"; known are `+keys+`, requests, ready, before, env, services, margins, limits`)
	refused(t, "mine", with("workload", `"`+declares(t)+`"`), `key "requests" is missing or empty; want a list of requests, such as [{"path": "/"}]`)
}
