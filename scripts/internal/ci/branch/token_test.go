package branch

import (
	"bytes"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fairstream/scripts/internal/measure/process"
)

// The token is on no command line, in no trace and in no error.
func TestTheTokenIsNeverPrinted(t *testing.T) {
	var trace bytes.Buffer
	process.Trace = &trace
	defer func() { process.Trace = nil }()
	t.Setenv("GIT_CONFIG_COUNT", "1")
	t.Setenv("GIT_CONFIG_KEY_0", "test.first")
	t.Setenv("GIT_CONFIG_VALUE_0", "kept")
	r := bare(t)
	r.Server, r.Token = "https://git.example/", "ghs_secret"
	s, err := open(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	for key, want := range map[string]string{
		"test.first": "kept", "http.https://git.example/.extraheader": "AUTHORIZATION: basic eC1hY2Nlc3MtdG9rZW46Z2hzX3NlY3JldA==",
	} {
		if got, err := s.git(t.Context(), "config", "--get", key); err != nil || got != want {
			t.Errorf("%s is %q (%v), want %q", key, got, err, want)
		}
	}
	_, err = s.git(t.Context(), "no-such-command")
	publish(t, r, runOf(1))
	for _, secret := range []string{"ghs_secret", "eC1hY2Nlc3M", "GIT_CONFIG_VALUE"} {
		if strings.Contains(trace.String()+err.Error(), secret) {
			t.Errorf("%q is in the trace or an error:\n%s", secret, trace.String())
		}
	}
	if !strings.Contains(trace.String(), "push") {
		t.Errorf("no trace:\n%s", trace.String())
	}
}

// A remote that lets in who has the token, as GitHub does, over HTTP.
func TestTheTokenLetsUsIn(t *testing.T) {
	path, err := exec.Command("git", "--exec-path").Output()
	backend := filepath.Join(strings.TrimSpace(string(path)), "git-http-backend")
	if _, missing := os.Stat(backend); err != nil || missing != nil {
		t.Skipf("git http-backend: %v, %v", err, missing)
	}
	local := bare(t)
	git(t, local.URL, "config", "http.receivepack", "true")
	git(t, local.URL, "config", "uploadpack.allowAnySHA1InWant", "true") // as GitHub allows
	handler := &cgi.Handler{Path: backend, Env: []string{"GIT_PROJECT_ROOT=" + local.URL, "GIT_HTTP_EXPORT_ALL=1"}}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if user, token, _ := r.BasicAuth(); user != "x-access-token" || token != "ghs_secret" {
			w.Header().Set("WWW-Authenticate", "Basic")
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		handler.ServeHTTP(w, r)
	}))
	defer server.Close()
	remote := Remote{URL: server.URL + "/", Server: server.URL, Token: "ghs_secret"}
	publish(t, remote, runOf(1))
	publish(t, remote, runOf(2))
	if n := len(chart(t, remote).Entries[Bigger]); n != 2 {
		t.Errorf("%d points, want 2", n)
	}
	// A checkout without the commit asks the remote for it.
	if when, err := remote.Time(t.Context(), t.TempDir(), git(t, local.URL, "rev-parse", Branch+"~1")); err != nil || time.Since(when) > time.Hour {
		t.Errorf("time %v, %v", when, err)
	}
	for _, wrong := range []Remote{{URL: remote.URL}, {URL: remote.URL, Server: server.URL, Token: "ghs_other"}, {URL: remote.URL, Server: "https://github.com", Token: "ghs_secret"}} {
		if _, err := wrong.Chart(t.Context()); err == nil {
			t.Errorf("let in: %+v", wrong)
		}
	}
}
