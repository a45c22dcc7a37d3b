package doctor

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// Unreadable facts are unknown, and never guessed.
func TestOfAMachineWithoutFilesNothingIsKnown(t *testing.T) {
	for _, f := range (copied{fstest.MapFS{}, fstest.MapFS{}}).look(t) {
		if f.State != Unknown || f.Seen == "" || f.Fix != "" {
			t.Errorf("%s: %s %q %q, want ?, why, and nothing that fixes", f.Name, f.State, f.Seen, f.Fix)
		}
	}
}

// locked is a machine whose files all exist and cannot be read.
type locked struct{ fstest.MapFS }

func (l locked) ReadFile(name string) ([]byte, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
}

func (l locked) Open(name string) (fs.File, error) {
	if _, isFile := l.MapFS[name]; isFile {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return l.MapFS.Open(name)
}

func TestUnreadableFilesAreUnknown(t *testing.T) {
	findings, err := Look(locked{open(t, "battery").files}, func() error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range findings {
		if f.State != Unknown || f.Fix != "" {
			t.Errorf("%s: %s %q of files that may not be read", f.Name, f.State, f.Seen)
		}
	}
	if seen := byName(t, findings, "swap").Seen; seen != "/proc/swaps may not be read" {
		t.Errorf("swap: %q", seen)
	}
}

// Of a firewall's table only root knows what it holds.
func TestFollowedConnectionsMayBeUnknown(t *testing.T) {
	machine := open(t, "battery")
	delete(machine.files, "proc/net/nf_conntrack")
	f := byName(t, machine.look(t), "tracking")
	if f.State != Unknown || !strings.HasPrefix(f.Seen, "3 connections followed; whether any is within this machine: ") {
		t.Errorf("%s %q", f.State, f.Seen)
	}
}

// Without its mount the limits of a cgroup are unknown.
func TestAQuotaMayBeUnknown(t *testing.T) {
	machine := open(t, "quiet")
	for file := range machine.files {
		if strings.HasPrefix(file, "sys/fs/cgroup/") {
			delete(machine.files, file)
		}
	}
	if f := byName(t, machine.look(t), "quota"); f.State != Unknown {
		t.Errorf("%s %q", f.State, f.Seen)
	}
}

func TestAnInterruptedWaitIsAnError(t *testing.T) {
	stop := errors.New("stop")
	if _, err := Look(fstest.MapFS{}, func() error { return stop }); err != stop {
		t.Errorf("error %v, want %v", err, stop)
	}
}

// Whatever a file holds, every check returns a state, and no control character reaches a terminal.
func FuzzLook(f *testing.F) {
	var files []string
	for _, name := range names {
		files = slices.AppendSeq(files, maps.Keys(open(f, name).files))
	}
	slices.Sort(files)
	files = slices.Compact(files)
	for i := range files {
		f.Add(uint16(i), []byte("7 (x) y) R"), false)
	}
	f.Add(uint16(0), []byte("cpu0 1 2 3 4 5 6 7 8\n"), true)
	f.Add(uint16(0), []byte("-9223372036854775808 9223372036854775807"), true)
	f.Fuzz(func(t *testing.T, file uint16, content []byte, everywhere bool) {
		machine := open(t, names[int(file)%len(names)])
		if everywhere {
			for path := range machine.files {
				machine.files[path] = &fstest.MapFile{Data: content}
			}
		}
		machine.later[files[int(file)%len(files)]] = &fstest.MapFile{Data: content}
		findings := machine.look(t)
		for _, found := range findings {
			switch found.State {
			case Fix, Given, Unknown, Fine:
			default:
				t.Errorf("%s: state %q", found.Name, found.State)
			}
		}
		var text bytes.Buffer
		if err := (Report{Findings: findings}).WriteText(&text, true, 100); err != nil {
			t.Fatal(err)
		}
		if i := strings.IndexFunc(text.String(), func(r rune) bool { return r < ' ' && r != '\n' || r == 0x7f }); i >= 0 {
			t.Errorf("control character: %q", text.String()[i:])
		}
	})
}
