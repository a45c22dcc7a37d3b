package process

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"syscall"
)

// The guard ends the groups of programs that we leave behind. Where we are killed the
// kernel kills those that we started, and not what they started themselves. So a shell
// reads from a pipe which groups there are; its end is ours, and then it kills the rest.
var guard struct {
	sync.Mutex
	pipe io.Writer
}

const guardScript = `groups=
while read -r sign group; do
	left=
	for g in $groups; do
		[ "$g" = "$group" ] || left="$left $g"
	done
	groups=$left
	[ "$sign" = - ] || groups="$groups $group"
done
for g in $groups; do
	kill -s KILL -- "-$g"
done`

// guarded tells the guard of a group, unguarded that it has been ended: its number may
// become a stranger's.
func guarded(group int) error {
	guard.Lock()
	defer guard.Unlock()
	if guard.pipe != nil {
		if _, err := fmt.Fprintln(guard.pipe, "+", group); err == nil {
			return nil
		} // somebody has killed it
	}
	pipe, err := startGuard()
	if err != nil {
		return fmt.Errorf("sh: %w", err)
	}
	guard.pipe = pipe
	_, err = fmt.Fprintln(guard.pipe, "+", group)
	return err
}

func unguarded(group int) {
	guard.Lock()
	defer guard.Unlock()
	if guard.pipe != nil {
		fmt.Fprintln(guard.pipe, "-", group) // a guard that has been killed kills nobody
	}
}

func startGuard() (io.Writer, error) {
	read, write, err := os.Pipe() // closed on exec: no program has the end that we write to
	if err != nil {
		return nil, err
	}
	cmd := exec.Command("/bin/sh", "-c", guardScript)
	cmd.Dir, cmd.Stdin = "/", read
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Ctrl-C is ours
	err = cmd.Start()
	read.Close() // the guard has its own
	if err != nil {
		write.Close() // of no use
		return nil, err
	}
	go cmd.Wait() // when it ends we are gone, or are about to be
	return write, nil
}
