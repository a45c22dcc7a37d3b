package pipeline

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fairstream/scripts/internal/measure/services"
	"fairstream/scripts/internal/workload"
)

// lingers asks logind for a manager of the user's own. Nothing but polkit's rules stands before it, and these
// allow it to any process. systemd then starts, in another control group and without a sandbox, what lies in the home.
const lingers = `mkdir -p ~/.config/systemd/user/default.target.wants
printf '[Service]\nExecStart=/bin/bash %s/out.sh\n' "$HOME" >~/.config/systemd/user/out.service
ln -sf ../out.service ~/.config/systemd/user/default.target.wants/
cat >~/out.sh <<'END'
touch /var/tmp/left
printf '* * * * * touch /var/tmp/left-by-cron\n' | crontab -
exec sleep 1000
END
busctl call org.freedesktop.login1 /org/freedesktop/login1 org.freedesktop.login1.Manager SetUserLinger ubb "$(id -u)" true false && sleep 4
`

// One machine for all of these, since each costs a boot.
func TestABootedMachine(t *testing.T) {
	if !asRoot(t) {
		return
	}
	t.Parallel() // it waits for most of its time
	tests := t.TempDir()
	out, err := exec.Command("go", "test", "-c", "-o", filepath.Join(tests, "services"), "../../internal/measure/services").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	b := boot(t, "tests="+tests)
	for _, part := range []struct {
		name string
		test func(*booted)
	}{
		{"a_job_stays_in_its_sandbox", (*booted).staysInItsSandbox},
		{"a_job_starts_databases_of_its_own", (*booted).startsDatabases},
		{"nothing_runs_beside_main", (*booted).doesNotRunBesideMain},
		{"only_web_servers_of_the_internet_are_reached", (*booted).reachesOnlyTheInternet},
		{"a_job_leaves_nothing_to_the_next", (*booted).leavesNothingToTheNext},
		{"a_way_out_is_noticed_and_undone", (*booted).aWayOutIsNoticed},
	} {
		t.Run(part.name, func(t *testing.T) {
			b.t = t
			defer func() { b.t = b.whole }()
			part.test(b)
		})
	}
}

func (b *booted) staysInItsSandbox() {
	b.t.Helper()
	log := b.job("pr", lingers+`
for way in /run/dbus /run/systemd/private /run/user /run/avahi-daemon /run/cups; do [ ! -e "$way" ] || echo "WAY OUT: $way"; done
for process in /proc/[0-9]*; do [ -O "$process" ] || echo "SEEN: $process"; done
unshare -U true 2>&1 && echo "WAY OUT: a user namespace"
echo '* * * * * true' | crontab - 2>&1 && echo "WAY OUT: cron"
grep NoNewPrivs /proc/self/status
logger -t fairstream-test "the log is there"`)
	for _, sign := range []string{"WAY OUT", "SEEN", "NoNewPrivs:\t0"} {
		if strings.Contains(log, sign) || !strings.Contains(log, "NoNewPrivs:") {
			b.t.Errorf("%s in what a job of pr prints:\n%s", sign, log)
		}
	}
	for _, file := range []string{"/var/lib/systemd/linger/fairstream-pr", "/var/spool/cron/crontabs/fairstream-pr", "/var/tmp/left"} {
		if b.holds("test", "-e", file) {
			b.t.Errorf("a job of pr left %s\n%s", file, log)
		}
	}
	if got := b.processes("pr"); strings.Contains(got, "user.slice") {
		b.t.Errorf("a job of pr left its unit:\n%s", got)
	}
	// Not every kernel that tests run on has these limits, and no program here calls ptrace.
	if memory, tasks := b.show("fairstream@pr.service", "MemoryMax"), b.show("fairstream@pr.service", "TasksMax"); memory == "infinity" || tasks != "8192" {
		b.t.Errorf("MemoryMax is %s, TasksMax is %s", memory, tasks)
	}
	if calls := strings.Fields(b.show("fairstream@pr.service", "SystemCallFilter")); !slices.Contains(calls, "read") || slices.Contains(calls, "ptrace") {
		b.t.Errorf("a job may call: %q", calls)
	}
	if log := b.run("journalctl", "-t", "fairstream-test", "-o", "cat"); log != "the log is there\n" {
		b.t.Errorf("the log has %q", log)
	}
}

// The databases of the workload agent start inside the sandbox, and only there.
func (b *booted) startsDatabases() {
	b.t.Helper()
	if _, err := services.Find(workload.Needs{Postgres: true, Redis: true}); err != nil {
		b.t.Skipf("NOT TESTED: %v", err)
	}
	log := b.job("pr", "cd /tmp && /seed/tests/services -test.v -test.run TestDatabasesAreApart")
	if !strings.Contains(log, "--- PASS: TestDatabasesAreApart") {
		b.t.Errorf("a job of pr has no databases:\n%s", log)
	}
	for _, unit := range []string{"postgresql.service", "redis-server.service"} {
		if state := b.show(unit, "LoadState"); state != "masked" {
			b.t.Errorf("%s is %s", unit, state)
		}
	}
}

// survives leaves a process that ignores signals, and ends the worker, which would have ended it.
const survives = `trap '' INT TERM HUP
setsid bash -c 'while :; do sleep 1; done' left-behind </dev/null >/dev/null 2>&1 &
kill -KILL $PPID
`

func (b *booted) doesNotRunBesideMain() {
	b.t.Helper()
	alive := func() bool { return strings.Contains(b.processes("pr"), "left-behind") }

	from := b.start("pr", survives)
	b.waitFor("pr", from, "listener: over")
	b.within(5*time.Second, "the end of what ignores SIGINT", func() bool { return !alive() })
	b.waitFor("pr", from, "listener: idle\n")

	// While its runner does not end, the unit does not either.
	b.start("pr", `kill -STOP $(ps -o ppid= $PPID)`+"\n"+survives)
	b.within(5*time.Second, "a process that outlives its job", alive)
	log := b.job("main", "true")
	for _, want := range []string{"gate: denied: lane fairstream-main: lane pr is not idle after 3 s: ", "is stopped", "worker 137"} {
		if !strings.Contains(log, want) {
			b.t.Errorf("a process of pr outlives its job, and main's job starts: no %q in\n%s", want, log)
		}
	}
	b.within(15*time.Second, "the end of the process, once it is noticed", func() bool { return !alive() })

	// While main runs, nothing of the other lane does.
	from = b.start("main", "echo main runs; sleep 2")
	b.waitFor("main", from, "main runs")
	if got := b.processes("pr"); got != "" {
		b.t.Errorf("beside main:\n%s", got)
	}
	prFrom := len(b.log("pr"))
	b.waitFor("main", from, "step: 0")
	b.waitFor("pr", prFrom, "listener: idle\n")

	// Also when main's job dies.
	prFrom = len(b.log("pr"))
	b.start("main", `kill -KILL $(ps -o ppid= $PPID)`)
	b.waitFor("pr", prFrom, "listener: idle\n")

	// A job of pr cannot keep main's runner away, but waits for it.
	from = b.start("main", "echo main runs; sleep 1000")
	b.waitFor("main", from, "main runs")
	b.run("systemctl", "start", "fairstream@pr.service") // as a mistake would
	if log := b.job("pr", "true"); !strings.Contains(log, "gate: denied: lane fairstream-pr: lane main is not idle after 3 s: ") {
		b.t.Errorf("a job of pr starts beside main's:\n%s", log)
	}
	if !strings.Contains(b.processes("main"), "sleep 1000") {
		b.t.Errorf("a job of pr ended main's:\n%s", b.log("main")[from:])
	}
	b.run("systemctl", "restart", "fairstream@main.service")
	b.waitFor("main", from, "listener: idle\n")
}

// A packet that is let out of this machine is lost, since nothing is there. So a connection either waits or is refused.
func (b *booted) reachesOnlyTheInternet() {
	b.t.Helper()
	b.run("bash", "-c", `ip link add home type veth peer name other && ip link set home up arp off && ip link set other up && ip address add 192.168.50.2/24 dev home &&
		ip route add default dev home && ip -6 address add fd00::2/64 dev home nodad && ip -6 route add default dev home`)
	const reach = `for to in 192.168.50.1/80 192.168.50.1/53 10.1.2.3/443 203.0.113.7/443 203.0.113.7/80 203.0.113.7/22 203.0.113.7/8080 fd00::1/80 2001:db8::1/443; do
	{ timeout 5 bash -c "</dev/tcp/$to" 2>/dev/null; [ $? = 124 ] && echo "out: $to" || echo "refused: $to"; } & done; wait`
	for _, lane := range []string{"main", "pr"} {
		log := b.job(lane, reach)
		for to, want := range map[string]string{
			"192.168.50.1/80": "refused", "192.168.50.1/53": "out", "10.1.2.3/443": "refused", "fd00::1/80": "refused", "2001:db8::1/443": "refused",
			"203.0.113.7/443": "out", "203.0.113.7/80": "out", "203.0.113.7/22": "refused", "203.0.113.7/8080": "refused",
		} {
			if !strings.Contains(log, want+": "+to+"\n") {
				b.t.Errorf("lane %s: %s: want it %s\n%s", lane, to, want, log)
			}
		}
	}
	b.run("nft", "flush", "ruleset") // as a restart of nftables does
	if log := b.job("main", "true"); !strings.Contains(log, "gate: denied: lane fairstream-main: the firewall is not loaded") {
		b.t.Errorf("a job starts without the firewall:\n%s", log)
	}
	b.run("systemctl", "restart", "fairstream-machine.service") // restarts the runners too
}

// A dependency of one server could change all later jobs with each of these files.
func (b *booted) leavesNothingToTheNext() {
	b.t.Helper()
	const left = `.config/go/env .gitconfig .cargo/config.toml .cargo/registry/src/x/lib.rs .rustup/toolchains/x/bin/rustc .cache/go-build/00/x
		go/pkg/mod/a@v1/a.go go/pkg/mod/cache/download/a/@v/v1.ziphash .npm/_cacache/index-v5/x ../work/repository/.git/hooks/post-checkout /dev/shm/left /tmp/left`
	const verified = `go/pkg/mod/cache/download/a/@v/v1.zip .npm/_cacache/content-v2/sha512/x`
	each := func(files, does string) string {
		return `cd; for file in ` + strings.Join(strings.Fields(files), " ") + `; do ` + does + `; done` + "\n"
	}
	for _, lane := range []string{"main", "pr"} {
		b.job(lane, each(left+" "+verified, `mkdir -p "$(dirname "$file")" && echo x >"$file"`)+
			each(left+" "+verified, `[ -s "$file" ] || echo "NOT WRITTEN: $file"`)+`chmod -R a-w go; ipcmk -M 10 >/dev/null`)
		log := b.job(lane, each(left, `[ ! -e "$file" ] || echo "LEFT: $file"`)+each(verified, `[ ! -e "$file" ] || echo "KEPT: $file"`)+`tail -n +2 /proc/sysvipc/shm | sed 's/^/LEFT: /'`)
		if strings.Contains(log, "LEFT") || strings.Contains(log, "NOT WRITTEN") {
			b.t.Errorf("lane %s: a job left something to the next one\n%s", lane, log)
		}
		if kept := strings.Count(log, "KEPT: "); kept != map[string]int{"main": 2, "pr": 0}[lane] {
			b.t.Errorf("lane %s keeps %d files\n%s", lane, kept, log)
		}
	}
}

// A job that found a way out, whatever it is: what it left is removed, stops its lane and the other's, and is
// not there any more for a new user with the same number.
func (b *booted) aWayOutIsNoticed() {
	b.t.Helper()
	uid := strings.TrimSpace(b.run("id", "-u", "fairstream-pr"))
	out, err := b.as("pr", "bash", "-c", "HOME=/var/lib/fairstream/fairstream-pr/home; cd; "+lingers)
	if err != nil {
		b.t.Fatalf("linger: %v\n%s", err, out) // polkit allows it to anybody: then this shows nothing
	}
	if b.holds("systemctl", "-q", "is-active", "user@"+uid+".service") || b.holds("test", "-e", "/var/tmp/left") {
		b.t.Errorf("a user manager of the lane runs:\n%s", b.processes("pr"))
	}
	if out, err := b.as("pr", "sh", "-c", "echo '* * * * * true' | crontab -"); err == nil {
		b.t.Errorf("a crontab is accepted: %s", out)
	}
	for file := range strings.FieldsSeq("/etc/subuid /etc/subgid") {
		out, _ := b.try("grep", "^fairstream-", file) // it fails where nothing is found
		if out != "" {
			b.t.Errorf("%s has %s", file, out)
		}
	}
	b.run("sh", "-c", `echo '* * * * * touch /var/tmp/left-by-cron' >/var/spool/cron/crontabs/fairstream-pr
		mkdir -p /var/spool/cron/atjobs && touch /var/spool/cron/atjobs/a0001 && chown fairstream-pr /var/spool/cron/crontabs/fairstream-pr /var/spool/cron/atjobs/a0001`)
	traces := []string{
		"/var/lib/systemd/linger/fairstream-pr", "/var/spool/cron/crontabs/fairstream-pr", "/var/spool/cron/atjobs/a0001",
		"/tmp/trace", "/var/tmp/trace", "/run/lock/trace", "/dev/shm/trace", "/dev/mqueue/trace",
	}
	b.run("chmod", "1777", "/run/lock")
	if out, err := b.as("pr", "bash", "-c", `for directory in /tmp /var/tmp /run/lock /dev/shm /dev/mqueue; do touch $directory/trace || exit 1; done
		ipcmk -M 10 -Q -S 1 && { setsid sleep 1000 </dev/null >/dev/null 2>&1 & }`); err != nil {
		b.t.Fatalf("%v\n%s", err, out)
	}
	from := len(b.log("pr"))
	b.run("systemctl", "restart", "--no-block", "fairstream@pr.service") // as after a job
	b.within(30*time.Second, "the end of the lane", func() bool {
		return b.show("fairstream@pr.service", "ConditionResult") == "no" && !b.holds("systemctl", "-q", "is-active", "fairstream@pr.service")
	})
	log := b.log("pr")[from:]
	if strings.Contains(log, "listener: idle") {
		b.t.Errorf("the lane starts again:\n%s", log)
	}
	for _, trace := range append(traces, "System V IPC: shm", "System V IPC: msg", "System V IPC: sem", "sleep, in ") {
		if !strings.Contains(log, "lane-clean: fairstream-pr left outside of its sandbox: ") || !strings.Contains(log, trace) {
			b.t.Errorf("%s is not named in\n%s", trace, log)
		}
		if strings.HasPrefix(trace, "/") && b.holds("test", "-e", trace) {
			b.t.Errorf("%s is still there", trace)
		}
	}
	if got := b.processes("pr"); got != "" {
		b.t.Errorf("processes of pr:\n%s", got)
	}
	got, _ := b.try("sh", "-c", "cat /proc/sysvipc/* | grep -w "+uid) // it fails where nothing is found
	if got != "" {
		b.t.Errorf("System V IPC of pr:\n%s", got)
	}
	log = b.job("main", "true")
	if want := "gate: denied: lane fairstream-main: an earlier job left its sandbox; /opt/fairstream/found/fairstream-pr: "; !strings.Contains(log, want) || !strings.Contains(log, "crontabs/fairstream-pr") {
		b.t.Errorf("no %q in\n%s", want, log)
	}

	// The page's remedy. The job's files that nobody has found yet go too.
	b.run("sh", "-c", `mkdir -p /var/lib/systemd/linger && touch /var/lib/systemd/linger/fairstream-pr
		echo '* * * * * touch /var/tmp/left-by-cron' >/var/spool/cron/crontabs/fairstream-pr && chown fairstream-pr /var/spool/cron/crontabs/fairstream-pr`)
	if out, err := b.as("pr", "bash", "-c", `touch /var/tmp/trace /dev/shm/trace; ipcmk -M 10; setsid sleep 1000 </dev/null >/dev/null 2>&1 &`); err != nil {
		b.t.Fatalf("%v\n%s", err, out)
	}
	undone := b.run("/fairstream/.github/runner/install", "-u")
	left, _ := b.try("find", "/tmp", "/var", "/run", "/dev/shm", "/dev/mqueue", "/opt", "/etc", "-uid", uid) // it fails for a directory that goes meanwhile
	if left != "" {
		b.t.Errorf("install -u leaves\n%s\n%s", left, undone)
	}
	for _, file := range []string{"/var/lib/systemd/linger/fairstream-pr", "/etc/systemd/system/user@" + uid + ".service", "/etc/cron.deny"} {
		if b.holds("test", "-e", file) || b.holds("test", "-L", file) {
			b.t.Errorf("install -u leaves %s", file)
		}
	}
	if out, err := exec.Command("nsenter", "-t", b.pid, "-p", "-m", "ps", "-o", "args=", "-u", uid).Output(); err == nil {
		b.t.Errorf("install -u leaves processes:\n%s", out)
	}
	b.install()
	if again := strings.TrimSpace(b.run("id", "-u", "fairstream-pr")); again != uid {
		b.t.Errorf("the new user has the number %s, and the old one had %s: this shows nothing", again, uid)
	}
	if log := b.job("pr", "true"); !strings.Contains(log, "step: 0") {
		b.t.Errorf("the new lane does not work:\n%s", log)
	}
	if strings.Contains(b.log("pr"), "LEFT") || b.holds("test", "-s", "/opt/fairstream/found/fairstream-pr") {
		b.t.Errorf("the new lane inherits something:\n%s", b.log("pr"))
	}
}

// systemd itself lists the rights that a unit does not need.
func TestTheUnitIsExposedLittle(t *testing.T) {
	if _, err := exec.LookPath("systemd-analyze"); err != nil {
		t.Skip("NOT TESTED: no systemd-analyze here")
	}
	cmd := exec.Command("systemd-analyze", "security", "--no-pager", "--offline=true", "--threshold=25", filepath.Join(source, "etc/systemd/system/fairstream@.service"))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("more than 2.5 of 10: %v\n%s", err, out)
	}
}
