package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/testfile"
)

// A pair is two machines in one: network namespaces with a link between them. Servers are in the first one, and the second has
// an sshd. They share processes, files and clocks.
type pair struct {
	testProject
	servers, load string // namespaces
	file          string // of machines
	there         string // cache and temporary files of the load machine
}

const (
	serversAddress = "10.231.7.1"
	loadAddress    = "10.231.7.2"
	sshd           = "/usr/sbin/sshd"
)

func newPair(t *testing.T) pair {
	t.Helper()
	_, noIP := exec.LookPath("ip")
	if _, err := os.Stat(sshd); err != nil || noIP != nil || os.Geteuid() != 0 {
		t.Skip("NOT TESTED: two machines need root, ip and sshd: apt-get install iproute2 openssh-server")
	}
	p := pair{testProject: newProject(t), servers: fmt.Sprintf("servers-%d", os.Getpid()), load: fmt.Sprintf("load-%d", os.Getpid())}
	p.copy("../servers/relay/go-http", "servers/relay/go-http")
	p.file, p.there = filepath.Join(p.root, "machines.json"), filepath.Join(p.root, "there")
	for _, line := range []string{
		"ip netns add SERVERS", "ip netns add LOAD", "ip -n SERVERS link add link0 type veth peer name link0 netns LOAD",
		"ip -n SERVERS address add " + serversAddress + "/24 dev link0", "ip -n LOAD address add " + loadAddress + "/24 dev link0",
		"ip -n SERVERS link set lo up", "ip -n LOAD link set lo up", "ip -n SERVERS link set link0 up", "ip -n LOAD link set link0 up",
	} {
		p.do(line)
	}
	t.Cleanup(func() { p.do("ip netns delete SERVERS"); p.do("ip netns delete LOAD") })
	p.listen()
	return p
}

// do runs a command of the test's own.
func (p pair) do(line string) {
	p.Helper()
	args := strings.Fields(strings.NewReplacer("SERVERS", p.servers, "LOAD", p.load).Replace(line))
	if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
		p.Fatalf("%s: %v: %s", line, err, out)
	}
}

// listen starts the sshd of the load machine, and writes the file of machines.
func (p pair) listen() {
	p.Helper()
	keys := p.TempDir() // outside of the project, whose processes are counted
	for _, name := range []string{"host", "user"} {
		if out, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", filepath.Join(keys, name)).CombinedOutput(); err != nil {
			p.Fatalf("ssh-keygen: %v: %s", err, out)
		}
	}
	public := func(name string) string {
		text, err := os.ReadFile(filepath.Join(keys, name+".pub"))
		p.must(err)
		return strings.Join(strings.Fields(string(text))[:2], " ")
	}
	for _, dir := range []string{"tmp", "large", "small"} {
		p.must(os.MkdirAll(filepath.Join(p.there, dir), 0o755))
	}
	small := filepath.Join(p.there, "small")
	p.do("mount -t tmpfs -o size=1m none " + small) // before sshd, whose namespace has the mounts of its start
	p.Cleanup(func() { p.do("umount " + small) })
	p.caches("large")
	p.must(os.MkdirAll("/run/sshd", 0o755)) // where sshd locks itself up
	config := filepath.Join(keys, "config")
	testfile.Write(p, config, fmt.Sprintf(`Port 2222
ListenAddress %s
HostKey %s/host
AuthorizedKeysFile %[2]s/user.pub
PasswordAuthentication no
UsePAM no
StrictModes no
PidFile none
ClientAliveInterval 1
ClientAliveCountMax 3
SetEnv TMPDIR=%[3]s/tmp XDG_CACHE_HOME=%[3]s/cache
`, loadAddress, keys, p.there))
	var log bytes.Buffer
	daemon := exec.Command("ip", "netns", "exec", p.load, sshd, "-D", "-e", "-f", config)
	daemon.Stderr = &log
	daemon.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	p.must(daemon.Start())
	p.Cleanup(func() {
		_ = daemon.Process.Kill()
		_ = daemon.Wait()
		if p.Failed() {
			p.Logf("sshd:\n%s", log.String())
		}
	})
	text, err := json.Marshal(map[string]any{
		"load":    map[string]any{"ssh": "root@" + loadAddress, "port": 2222, "identity": filepath.Join(keys, "user"), "host_key": public("host"), "address": loadAddress},
		"servers": map[string]any{"address": serversAddress},
	})
	p.must(err)
	p.write("machines.json", string(text))
	for tries := 0; ; tries++ { // until it listens
		err := exec.Command("ip", "netns", "exec", p.servers, "bash", "-c", "exec 3<>/dev/tcp/"+loadAddress+"/2222").Run()
		if err == nil {
			return
		}
		if tries == 200 {
			p.Fatalf("no sshd: %s", log.String())
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// bench runs the tool on the servers' machine.
func (p pair) bench(args ...string) result {
	p.Helper()
	return p.finish(p.command(args...))
}

func (p pair) command(args ...string) *exec.Cmd {
	cmd := p.testProject.command(args...)
	cmd.Args = append([]string{"ip", "netns", "exec", p.servers, cmd.Path}, args...)
	cmd.Path = "/usr/sbin/ip"
	if found, err := exec.LookPath("ip"); err == nil {
		cmd.Path = found
	}
	return cmd
}

// caches says where the load machine keeps k6 and the stub: on a large disk or a small one.
func (p pair) caches(dir string) {
	p.Helper()
	link := filepath.Join(p.there, "cache")
	_ = os.Remove(link) // absent at first
	p.must(os.Symlink(dir, link))
}

// finish also checks that nothing is left on the load machine.
func (p pair) finish(cmd *exec.Cmd) result {
	p.Helper()
	r := p.end(cmd)
	if left, err := os.ReadDir(filepath.Join(p.there, "tmp")); err != nil || len(left) > 0 {
		p.Errorf("left on the load machine: %v %v", left, err)
	}
	return r
}

// end runs the tool. Programs on the load machine end a moment later.
func (p pair) end(cmd *exec.Cmd) result {
	p.Helper()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	_ = cmd.Run() // its status is checked
	for end := time.Now().Add(30 * time.Second); len(p.processes()) > 0 && time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
	}
	p.leftovers()
	return result{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}

var quickly = []string{"run", "-quick", "-rounds", "1", "-scenario", "steady", "-machines", "machines.json", "-o"}

// k6 and the stub run on the second machine, and records have the figures of the servers on the first.
func TestTwoMachines(t *testing.T) {
	p := newPair(t)
	p.bench(append(quickly, "raw/one", "relay/go-http")...).expect(t, 0, "load machine: root@"+loadAddress)
	records := testfile.Read(p, filepath.Join(p.root, "raw/one", recordsFile), record.Read)
	for _, r := range records {
		if r.Host.Load == nil || r.Host.Load.Cores < 1 || r.Host.Load.K6 != 1 {
			t.Errorf("%s: host %+v", r.Server.Name, r.Host)
		}
		for _, metric := range []string{"ttft_p95_ms", "k6_cpu_mean_pct", "stub_cpu_mean_pct"} {
			if v, known := r.Metrics.Get(metric); !known || v <= 0 {
				t.Errorf("%s: %s is %v, known %t", r.Server.Name, metric, v, known)
			}
		}
		if r.OfServer() {
			for _, metric := range []string{"server_cpu_us_per_stream", "server_rss_peak_bytes"} {
				if v, known := r.Metrics.Get(metric); !known || v <= 0 {
					t.Errorf("%s is %v, known %t", metric, v, known)
				}
			}
		}
	}
	if len(records) != 2 {
		t.Errorf("%d records; want those of the server and direct", len(records))
	}
	if _, err := os.Stat(filepath.Join(p.root, "raw/one/1/ranking/clocks.json")); err != nil {
		t.Error(err)
	}
	p.must(os.WriteFile(p.file, bytes.Replace(p.read(), []byte(`"port"`), []byte(`"k6":2,"port"`), 1), 0o644))
	p.bench(append(quickly, "raw/two", "relay/go-http")...).expect(t, 0)
}

// read is the file of machines.
func (p pair) read() []byte {
	p.Helper()
	text, err := os.ReadFile(p.file)
	p.must(err)
	return text
}

// Faults between two machines are errors that say what to do, and leave nothing on either of them.
func TestLongFaultsBetweenMachines(t *testing.T) {
	long(t, "1 minute")
	p := newPair(t)
	was := p.read()
	next := 0
	run := func() *exec.Cmd {
		next++
		return p.command(append(quickly, fmt.Sprint("raw/", next), "relay/go-http")...)
	}
	// loading waits until k6 loads in the run that began last, and returns its pid.
	loading := func() int {
		for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
			text, _ := os.ReadFile(filepath.Join(p.root, fmt.Sprint("raw/", next), "1/ranking/k6.1.log")) // absent: not yet
			if line, _, whole := strings.Cut(string(text), "\n"); whole {
				if pid, err := strconv.Atoi(strings.TrimPrefix(line, "pid ")); err == nil {
					time.Sleep(2 * time.Second)
					return pid
				}
			}
		}
		t.Fatal("k6 did not start")
		return 0
	}
	during := func(fault func(k6 int)) result {
		cmd := run()
		ended := make(chan result)
		go func() { ended <- p.finish(cmd) }()
		fault(loading())
		return <-ended
	}
	t.Run("another host key", func(t *testing.T) {
		p.must(os.WriteFile(p.file, bytes.Replace(was, []byte("AAAAC3NzaC1lZDI1NTE5AAAAI"), []byte("AAAAC3NzaC1lZDI1NTE5AAAAIA"), 1), 0o644))
		p.finish(run()).expect(t, 3, "its host key is not load.host_key")
		p.must(os.WriteFile(p.file, was, 0o644))
	})
	t.Run("a full disk there", func(t *testing.T) {
		p.caches("small")
		p.finish(run()).expect(t, 3, "No space left on device")
		p.caches("large")
	})
	t.Run("k6 is killed there", func(t *testing.T) {
		during(func(k6 int) { p.must(syscall.Kill(k6, syscall.SIGKILL)) }).expect(t, 3, "k6: exited with status 137")
	})
	t.Run("the link is lost", func(t *testing.T) {
		cmd := run()
		ended := make(chan result)
		go func() { ended <- p.end(cmd) }()
		loading()
		p.do("ip -n SERVERS link set link0 down")
		(<-ended).expect(t, 3, "load machine")
		p.do("ip -n SERVERS link set link0 up")
		left, err := os.ReadDir(filepath.Join(p.there, "tmp")) // nobody could reach it; a later load removes it
		if err != nil || len(left) != 1 || !strings.HasPrefix(left[0].Name(), "fairstream-load-") {
			t.Errorf("left on the load machine: %v %v", left, err)
		}
		for _, dir := range left {
			old := time.Now().Add(-48 * time.Hour)
			p.must(os.Chtimes(filepath.Join(p.there, "tmp", dir.Name()), old, old))
		}
		p.finish(run()).expect(t, 0)
	})
	t.Run("a slow link", func(t *testing.T) {
		if out, err := exec.Command("tc", "-n", p.servers, "qdisc", "add", "dev", "link0", "root", "netem", "delay", "6ms").CombinedOutput(); err != nil {
			t.Skipf("NOT TESTED: this kernel cannot delay packets: %s", out)
		}
		r := p.finish(run())
		p.do("tc -n SERVERS qdisc delete dev link0 root")
		r.expect(t, 3, "its clock is known within", "want 2 at most")
	})
}
