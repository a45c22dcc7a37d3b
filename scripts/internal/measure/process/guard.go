package process

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"syscall"
)

// The guard is a shell that kills process groups after our death. When we are killed, the kernel kills our
// children, but not their children. So the guard reads the numbers of our groups from a pipe. When the pipe
// closes, it kills the groups that are left.
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

// guarded tells the guard about a group. unguarded tells it that the group has ended, since another program
// may get its number.
func guarded(group int) error {
	guard.Lock()
	defer guard.Unlock()
	if guard.pipe != nil {
		if _, err := fmt.Fprintln(guard.pipe, "+", group); err == nil {
			return nil
		} // somebody killed the guard
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
		fmt.Fprintln(guard.pipe, "-", group) // a killed guard does nothing
	}
}

func startGuard() (io.Writer, error) {
	read, write, err := os.Pipe() // closed on exec, so no program keeps our end of the pipe open
	if err != nil {
		return nil, err
	}
	cmd := exec.Command("/bin/sh", "-c", guardScript)
	cmd.Dir, cmd.Stdin = "/", read
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Ctrl-C reaches only us
	err = cmd.Start()
	read.Close() // the guard has its own copy
	if err != nil {
		write.Close() // it cannot be used
		return nil, err
	}
	go cmd.Wait() // it ends when we end
	return write, nil
}
