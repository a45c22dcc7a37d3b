package build

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"

	"fairstream/scripts/internal/measure/process"
	"fairstream/scripts/internal/measure/services"
)

// A manager is a package manager that installs without questions. The name of a package follows install.
type manager struct {
	program string
	refresh []string // updates the list of packages
	install []string
}

var managers = []manager{
	{"apt-get", []string{"apt-get", "update", "-q"}, []string{"apt-get", "install", "-q", "-y", "--no-install-recommends"}},
	{"pacman", nil, []string{"pacman", "-Sy", "--noconfirm", "--needed"}},
	{"dnf", nil, []string{"dnf", "install", "-y"}},
}

// sysstat installs pidstat.
func sysstat(ctx context.Context) error {
	return installed(ctx, "pidstat", "sysstat", func(string) {}) // the progress of jobs names it
}

// Services installs PostgreSQL and Redis, which servers with a database need.
func Services() Job {
	return Job{Name: "services", Do: func(ctx context.Context) error { return withServices(ctx, func(string) {}) }}
}

func withServices(ctx context.Context, say Say) (err error) {
	for program, pkg := range services.Packages {
		err = errors.Join(err, installed(ctx, program, pkg, say))
	}
	return err
}

// ForTests installs what tests need besides the rig. Debian has a Chromium without windows, which takes half
// the time.
func ForTests(ctx context.Context, say Say) error {
	browser := installed(ctx, "chromium-headless-shell", "chromium-headless-shell", say)
	if browser != nil {
		browser = installed(ctx, "chromium", "chromium", say)
	}
	return errors.Join(browser, installed(ctx, "nft", "nftables", say), installed(ctx, "shellcheck", "shellcheck", say), withServices(ctx, say), bootable(ctx, say))
}

// bootable installs what a systemd needs that tests boot in namespaces: a bus, the rules who may do what, and
// cron. Where there is no apt-get, those tests use what is there, or skip.
func bootable(ctx context.Context, say Say) error {
	if m, ok := packageManager(); !ok || m.program != "apt-get" {
		return nil
	}
	var failed []error
	for _, needed := range [][2]string{
		{"/lib/systemd/systemd", "systemd-sysv"}, {"dbus-daemon", "dbus"}, {"/usr/lib/polkit-1/polkitd", "polkitd"}, {"/usr/sbin/cron", "cron"}, {"jq", "jq"},
	} {
		failed = append(failed, installed(ctx, needed[0], needed[1], say))
	}
	return errors.Join(failed...)
}

// installed installs the package of a program if the program is missing.
func installed(ctx context.Context, program, pkg string, say Say) error {
	if found(program) {
		return nil
	}
	m, ok := packageManager()
	if !ok {
		return fmt.Errorf("setup: %s: not found, and no package manager known here (apt-get, pacman, dnf); install the package %s", program, pkg)
	}
	install := append(slices.Clone(m.install), pkg)
	asRoot, ok := rootPrefix(ctx)
	if !ok {
		return fmt.Errorf("setup: %s: not found, and no right to install it; run: sudo %s", program, strings.Join(install, " "))
	}
	say(fmt.Sprintf("setup: installing %s, which has %s", pkg, program))
	run := func(args []string) error {
		_, err := process.Output(ctx, process.Command{Args: append(asRoot, args...), Env: []string{"DEBIAN_FRONTEND=noninteractive"}})
		return err
	}
	err := run(install)
	if err != nil && m.refresh != nil && ctx.Err() == nil {
		if err = run(m.refresh); err == nil {
			err = run(install)
		}
	}
	if err != nil {
		return fmt.Errorf("setup: %s: not found; installing it failed: %w", program, err)
	}
	if !found(program) {
		return fmt.Errorf("setup: %s: still not found after %s; is its directory in $PATH?", program, strings.Join(install, " "))
	}
	return nil
}

// found reports whether a program is there.
func found(program string) bool {
	_, err := exec.LookPath(program)
	return err == nil || services.Path(program) != ""
}

func packageManager() (manager, bool) {
	for _, m := range managers {
		if _, err := exec.LookPath(m.program); err == nil {
			return m, true
		}
	}
	return manager{}, false
}

// rootPrefix is the prefix that runs a command as root: empty for root, sudo where it needs no password.
func rootPrefix(ctx context.Context) ([]string, bool) {
	if os.Geteuid() == 0 {
		return nil, true
	}
	if _, err := process.Output(ctx, process.Command{Args: []string{"sudo", "-n", "true"}}); err == nil {
		return []string{"sudo", "-n"}, true
	}
	return nil, false
}
