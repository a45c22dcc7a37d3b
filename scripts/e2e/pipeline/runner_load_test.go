package pipeline

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A job in the unit builds the rig and a server of each language, and loads them, as the workflow does. Everything that
// the unit forbids is forbidden. The caches of this machine stand in for the internet, which is not there.
func TestLongAJobBuildsAndLoads(t *testing.T) {
	if os.Getenv("FAIRSTREAM_LONG") == "" {
		t.Skip("takes ten minutes")
	}
	if !asRoot(t) {
		return
	}
	output := func(name string, args ...string) string {
		t.Helper()
		out, err := exec.Command(name, args...).Output()
		if err != nil {
			t.Skipf("NOT TESTED: needs Go, Rust and Node.js: %s: %v", name, err)
		}
		return strings.TrimSpace(string(out))
	}
	sysroot := output("rustc", "+"+toolchainOf(t), "--print", "sysroot") // RUSTUP_HOME/toolchains/NAME
	repository, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	b := boot(t,
		"go="+output("go", "env", "GOROOT"), "modules="+output("go", "env", "GOMODCACHE")+"/cache/download", "rust="+sysroot,
		"crates="+filepath.Join(output("sh", "-c", `echo "${CARGO_HOME:-$HOME/.cargo}"`), "registry"), "npm="+output("npm", "config", "get", "cache"),
		"repository="+repository,
	)
	steps := `set -e
export PATH=/seed/go/bin:/seed/rust/bin:$PATH GOPROXY=file:///seed/modules GOTOOLCHAIN=local GONOSUMDB='*' CARGO_NET_OFFLINE=true
mkdir -p "$CARGO_HOME/registry" ~/.npm
cp -r /seed/crates/cache /seed/crates/index "$CARGO_HOME/registry/"
cp -r /seed/npm/_cacache ~/.npm/
git config --global safe.directory '*' # it is another user's
git clone -q file:///seed/repository clone
cd clone
time scripts/bench setup
for server in go-http rust-http bun-http; do echo "building $server"; time scripts/bench build $server; done
scripts/bench run -quick -rounds 1 -scenario steady -o "$HOME/run" go-http rust-http bun-http
scripts/bench report -format markdown "$HOME/run/run.jsonl"
`
	started := time.Now()
	from := b.start("pr", steps) // both lanes have the same unit
	b.within(20*time.Minute, "the end of the job", func() bool { return strings.Contains(b.log("pr")[from:], "listener: over") })
	log := b.log("pr")[from:]
	t.Logf("%s\n%s", time.Since(started).Round(time.Second), log)
	if !strings.Contains(log, "\nstep: 0\n") {
		t.Error("the job fails")
	}
	for _, row := range []string{"| _direct", "| go-http ", "| rust-http ", "| bun-http "} { // a busy machine adds a warning's mark
		if !strings.Contains(log, row) {
			t.Errorf("no row %q", row)
		}
	}
}

// toolchainOf is the Rust toolchain that the server pins.
func toolchainOf(t *testing.T) string {
	t.Helper()
	content, err := os.ReadFile("../../../servers/relay/rust-http/rust-toolchain.toml")
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(content), `channel = "`)
	channel, _, _ := strings.Cut(after, `"`)
	return channel
}
