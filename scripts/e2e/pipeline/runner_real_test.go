package pipeline

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fairstream/scripts/internal/measure/services"
)

// installed installs in namespaces of its own, and returns the output and the directory.
func installed(t *testing.T, env ...string) (printed, dir string) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("NOT TESTED: a whole installation: needs root, for namespaces of its own")
	}
	if _, err := exec.LookPath("jq"); err != nil {
		t.Skip("NOT TESTED: a whole installation: no jq here")
	}
	if out, err := exec.Command("unshare", "--mount", "--pid", "--fork", "--mount-proc", "mount", "-t", "tmpfs", "none", "/opt").CombinedOutput(); err != nil {
		t.Skipf("NOT TESTED: a whole installation: no namespaces to be had: %s", out)
	}
	install, err := filepath.Abs(filepath.Join(source, "install"))
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	cmd := exec.Command("unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", "bash", "testdata/runner/real.sh", install, dir)
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out), dir
}

func TestACompleteInstallation(t *testing.T) {
	printed, dir := installed(t)
	read := func(name string) string {
		content, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(content)
	}
	log, after := read("log"), read("after")
	for _, lane := range []string{"fairstream-main", "fairstream-pr"} {
		want := regexp.MustCompile(`(?m)^config\.sh --unattended --disableupdate --replace --url https://github.com/acme/bench --name \S+ --labels ` + lane + ` --work /var/lib/fairstream/` + lane + `/work token=secret$`)
		if len(want.FindAllString(log, -1)) != 1 {
			t.Errorf("%s: not registered once\n%s", lane, log)
		}
		// Files that a job must not change belong to root. Files that it needs are readable.
		for _, form := range []string{
			`(?m)^/opt/fairstream/%/bin/Runner.Listener 644 0 0 $`, `(?m)^/opt/fairstream/% 755 0 0 $`,
			`(?m)^/opt/fairstream/%/\.credentials_rsaparams 640 0 [1-9]\d+ $`, `(?m)^/opt/fairstream/%/\.runner 640 0 [1-9]\d+ $`,
			`(?m)^/opt/fairstream/%/_diag 700 [1-9]\d+ [1-9]\d+ $`, `(?m)^/var/lib/fairstream/%/home 700 [1-9]\d+ [1-9]\d+ $`,
			`(?m)^/var/lib/fairstream/% 750 0 [1-9]\d+ $`,
		} {
			if !regexp.MustCompile(strings.ReplaceAll(form, "%", lane)).MatchString(after) {
				t.Errorf("%s: nothing matches %s", lane, form)
			}
		}
		if strings.Contains(after, lane+"/.env") || strings.Contains(after, lane+"/.path") {
			t.Errorf("%s: .env or .path is left, which the runner reads", lane)
		}
	}
	// What servers with a database need is there, and nothing of it listens by itself.
	for _, line := range regexp.MustCompile(`(?m)^apt-get install .*$`).FindAllString(log, -1) {
		packages, masked, _ := strings.Cut(line, "; masked: ")
		for _, pkg := range services.Packages {
			if !slices.Contains(strings.Fields(packages), pkg) || !slices.Contains(strings.Fields(masked), pkg+".service") {
				t.Errorf("%s is not installed, or not masked before that: %s", pkg, line)
			}
		}
	}
	if !strings.Contains(log, "apt-get install ") {
		t.Errorf("nothing is installed\n%s", log)
	}
	for want, times := range map[string]int{
		// The second installation, too, loads what it wrote.
		"\nsystemctl restart fairstream-machine.service\nsystemctl enable --now fairstream-machine.service fairstream@main.service fairstream@pr.service\n": 2,
		"\nrustup-init -q -y --no-modify-path --default-toolchain none\n":                                                                                   1,
	} {
		if got := strings.Count(log, want); got != times {
			t.Errorf("%d times in the log, want %d: %q\n%s", got, times, want, log)
		}
	}
	if !strings.HasSuffix(read("list"), "\nrepository acme/bench\nrepository_id 77\n") {
		t.Errorf("the list: %s", read("list"))
	}
	if strings.Contains(printed, "secret") {
		t.Errorf("the token is printed\n%s", printed)
	}
	// The account files' backups are useradd's own.
	ours := func(state string) []string {
		return slices.DeleteFunc(strings.Split(state, "\n"), func(line string) bool {
			return regexp.MustCompile(`^/etc/(sub[ug]id|group|gshadow|passwd|shadow)-? `).MatchString(line)
		})
	}
	before, undone := ours(read("before")), ours(read("undone"))
	for _, line := range undone {
		if !slices.Contains(before, line) {
			t.Errorf("left: %s", line)
		}
	}
	for _, line := range before {
		if !slices.Contains(undone, line) {
			t.Errorf("lost: %s", line)
		}
	}
}

func TestNothingIsUnpackedWithAnotherHash(t *testing.T) {
	printed, _ := installed(t, "WRONG_HASH=1")
	if !strings.Contains(printed, "another SHA-256 than 0000") {
		t.Errorf("no refusal in\n%s", printed)
	}
}
