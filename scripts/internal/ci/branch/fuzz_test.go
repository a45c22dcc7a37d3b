package branch

import "testing"

// Files of the branch are anybody's who may write there.
func FuzzServersIn(f *testing.F) {
	f.Add([]byte(`{"run":{"quick":false},"servers":[{"name":"go-http"}],"k6_runs":[{"targets":[{"server":0,"status":"ok"}]}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		_, _ = serversIn(text) // an error is an answer
	})
}
