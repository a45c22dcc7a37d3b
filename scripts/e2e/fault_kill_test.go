package e2e

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Killed while a server uses a database, or while it builds two revisions, the tool leaves no process, no port, no
// temporary file, and nothing in memory.
func TestNothingOutlivesAKill(t *testing.T) {
	t.Parallel()
	for name, of := range map[string]struct {
		args  []string
		begun func(p testProject) bool
	}{
		"agent": {[]string{"verify", "agent/go-http"}, func(p testProject) bool { return p.runsOne("postgres: server_") }},
		"compare": {strings.Fields("compare -quick -rounds 2 -same -base HEAD -head HEAD -o out relay/go-http"), func(p testProject) bool {
			copies, err := filepath.Glob(filepath.Join(p.temp(), "fairstream-code-*/*/servers"))
			p.must(err)
			builds, err := filepath.Glob(filepath.Join(p.temp(), "fairstream-temp-*/go-build*"))
			p.must(err)
			return len(copies) > 0 && len(builds) > 0
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newProject(t)
			p.git("init", "-q", "-b", "main")
			p.must(os.Mkdir(filepath.Join(p.root, "servers/agent"), 0o755))
			for _, file := range []string{"servers/relay/go-http", "servers/agent/go-http", "servers/agent/schema.sql"} {
				p.copy("../"+file, file)
			}
			p.commit()
			cmd := p.command(of.args...)
			p.must(cmd.Start())
			ended := make(chan error, 1)
			go func() { ended <- cmd.Wait() }()
			for !of.begun(p) {
				select {
				case err := <-ended:
					t.Fatalf("it ended: %v", err)
				case <-time.After(time.Millisecond):
				}
			}
			services, ports := p.services(), p.listening()
			if name == "agent" && (len(services) == 0 || len(ports) == 0) {
				t.Errorf("services %q and ports %v", services, ports)
			}
			p.must(cmd.Process.Signal(syscall.SIGKILL))
			<-ended
			p.emptied(services...)
			p.leftovers()
			for _, dir := range services {
				if exists(dir) {
					t.Errorf("left: %s", dir)
				}
			}
			for inode, address := range listeners() {
				if ports[inode] != "" {
					t.Errorf("left: a port, %s", address)
				}
			}
		})
	}
}

// emptied waits until no process of the project is alive, and its temporary files and some directories are gone.
func (p testProject) emptied(dirs ...string) {
	p.Helper()
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		left, err := os.ReadDir(p.temp())
		p.must(err)
		if len(p.processes()) == 0 && len(left) == 0 && !slices.ContainsFunc(dirs, exists) {
			return
		}
	}
}

// runsOne reports whether a process of the project has this in its command line.
func (p testProject) runsOne(words string) bool {
	return slices.ContainsFunc(p.processes(), func(pid string) bool {
		text, _ := os.ReadFile("/proc/" + pid + "/cmdline") // it may have ended
		return strings.Contains(strings.ReplaceAll(string(text), "\x00", " "), words)
	})
}

var servicesDir = regexp.MustCompile(`^.*/fairstream-services-[^/]+`)

// services are the directories of the databases that run.
func (p testProject) services() (dirs []string) {
	for _, pid := range p.processes() {
		cwd, _ := os.Readlink("/proc/" + pid + "/cwd") // it may have ended
		if dir := servicesDir.FindString(cwd); dir != "" {
			dirs = append(dirs, dir)
		}
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}

// listeners are the addresses where programs listen, by the inode of the socket; see proc(5).
func listeners() map[string]string {
	all := map[string]string{}
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		text, _ := os.ReadFile(table) // there may be no IPv6
		for line := range strings.Lines(string(text)) {
			if fields := strings.Fields(line); len(fields) > 9 && fields[3] == "0A" {
				all[fields[9]] = fields[1]
			}
		}
	}
	return all
}

// listening are the listeners that the project's programs have.
func (p testProject) listening() map[string]string {
	all, held := listeners(), map[string]bool{}
	for _, pid := range p.processes() {
		files, _ := filepath.Glob("/proc/" + pid + "/fd/*") // the pattern is valid
		for _, file := range files {
			link, _ := os.Readlink(file) // it may have ended
			held[strings.TrimSuffix(strings.TrimPrefix(link, "socket:["), "]")] = true
		}
	}
	maps.DeleteFunc(all, func(inode, _ string) bool { return !held[inode] })
	return all
}
