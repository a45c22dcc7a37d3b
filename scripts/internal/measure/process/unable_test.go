package process

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"
)

// A machine without room gives another error than a broken program.
func TestLimitsOfTheMachineAreNotTheProgramsFault(t *testing.T) {
	unable := func(err error) bool { _, ok := errors.AsType[Unable](err); return ok }
	if _, err := Start(sh("true"), filepath.Join(t.TempDir(), "no", "log")); !unable(err) {
		t.Errorf("no log: %v", err)
	}
	if _, err := Start(Command{Args: []string{"./nothing"}}, filepath.Join(t.TempDir(), "log")); err == nil || unable(err) {
		t.Errorf("no program: %v", err)
	}
	for _, errno := range []syscall.Errno{syscall.EAGAIN, syscall.ENOMEM, syscall.EMFILE, syscall.ENFILE} {
		if err := sh("true").startError(errno); !unable(err) {
			t.Errorf("%v: not unable: %v", errno, err)
		}
	}
	if err := sh("true").startError(syscall.ENOEXEC); unable(err) {
		t.Errorf("what is no program: %v", err)
	}
	if _, err := findPort(func(int) error { return syscall.EADDRINUSE }); !unable(err) {
		t.Errorf("no port: %v", err)
	}
}
