package setup

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"fairstream/scripts/process"
)

// A manager is a package manager that can install sysstat without questions.
type manager struct {
	program string
	refresh []string // brings the list of packages up to date
	install []string
}

var managers = []manager{
	{"apt-get", []string{"apt-get", "update", "-q"}, []string{"apt-get", "install", "-q", "-y", "--no-install-recommends", "sysstat"}},
	{"pacman", nil, []string{"pacman", "-Sy", "--noconfirm", "--needed", "sysstat"}},
	{"dnf", nil, []string{"dnf", "install", "-y", "sysstat"}},
}

// sysstat makes sure that there is a pidstat.
func sysstat(ctx context.Context, say Say) error {
	if _, err := exec.LookPath("pidstat"); err == nil {
		return nil
	}
	m, ok := packageManager()
	if !ok {
		return fmt.Errorf("setup: pidstat: not found, and no package manager known here (apt-get, pacman, dnf); install the package sysstat")
	}
	asRoot, ok := rootPrefix(ctx)
	if !ok {
		return fmt.Errorf("setup: pidstat: not found, and no right to install it; run: sudo %s", strings.Join(m.install, " "))
	}
	say("setup: installing sysstat, which has pidstat")
	run := func(args []string) error {
		_, err := process.Output(ctx, process.Command{Args: append(asRoot, args...), Env: []string{"DEBIAN_FRONTEND=noninteractive"}})
		return err
	}
	err := run(m.install)
	if err != nil && m.refresh != nil && ctx.Err() == nil {
		if err = run(m.refresh); err == nil {
			err = run(m.install)
		}
	}
	if err != nil {
		return fmt.Errorf("setup: pidstat: not found; installing it failed: %w", err)
	}
	if _, err := exec.LookPath("pidstat"); err != nil {
		return fmt.Errorf("setup: pidstat: still not found after %s; is its directory in $PATH?", strings.Join(m.install, " "))
	}
	return nil
}

func packageManager() (manager, bool) {
	for _, m := range managers {
		if _, err := exec.LookPath(m.program); err == nil {
			return m, true
		}
	}
	return manager{}, false
}

// rootPrefix is what to put before a command to run it as root: nothing for
// root, sudo where it asks for no password.
func rootPrefix(ctx context.Context) ([]string, bool) {
	if os.Geteuid() == 0 {
		return nil, true
	}
	if _, err := process.Output(ctx, process.Command{Args: []string{"sudo", "-n", "true"}}); err == nil {
		return []string{"sudo", "-n"}, true
	}
	return nil, false
}
