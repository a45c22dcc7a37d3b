package build

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"fairstream/scripts/internal/measure/process"
	"fairstream/scripts/internal/version"
)

// A Say is called before a step that may take a while.
type Say func(step string)

// Jobs lists what a run needs besides the servers: k6 and the stub. pidstat is installed beside them if it is missing.
// missing receives the reason where that is not possible.
func Jobs(ctx context.Context, root string, missing func(error)) []Job {
	var jobs []Job
	if !hasPidstat() {
		// It ends with ctx, and not with the other jobs: apt-get that is cut off leaves half a package.
		jobs = append(jobs, Job{Name: "sysstat", Do: func(context.Context) error {
			err := sysstat(ctx)
			if err != nil && ctx.Err() == nil {
				missing(err)
				return nil
			}
			return err
		}})
	}
	return append(jobs, K6(root), Stub(root))
}

func hasPidstat() bool {
	_, err := exec.LookPath("pidstat")
	return err == nil
}

// K6 builds k6. Its first build takes a minute or more.
func K6(root string) Job { return goProgram(root, "k6") }

// Stub builds the stub.
func Stub(root string) Job { return goProgram(root, "stub") }

// buildEnv is added to the environment for building the rig.
var buildEnv = []string{"CGO_ENABLED=0"}

// goProgram builds a Go module's program into its bin directory.
func goProgram(root, name string) Job {
	return Job{Name: name, Do: func(ctx context.Context) error {
		_, err := process.Output(ctx, process.Command{
			Dir: filepath.Join(root, name), Env: buildEnv,
			Args: []string{"go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", "bin/" + name, "."},
		})
		if err != nil {
			return fmt.Errorf("setup: %s: %w", name, err)
		}
		return nil
	}}
}

// Sampler is the package of pidstat among the versions.
const Sampler = "sysstat"

// Versions asks the rig's tools for their versions. The stub reports the toolchain that built it. There is no version of
// sysstat on a machine without pidstat.
func Versions(ctx context.Context, root string) (map[string]string, error) {
	told := map[string]string{"fairstream": version.Version}
	for tool, c := range map[string]process.Command{
		"k6":    {Args: []string{filepath.Join(root, "k6", "bin", "k6"), "version"}},
		Sampler: {Args: []string{"pidstat", "-V"}, Env: []string{"LC_ALL=C"}},
		"go":    {Args: []string{"go", "version"}, Dir: filepath.Join(root, "stub")},
	} {
		if tool == Sampler && !hasPidstat() {
			continue
		}
		out, err := process.Output(ctx, c)
		if err == nil {
			told[tool], err = Version(out)
		}
		if err != nil {
			return nil, fmt.Errorf("setup: version of %s: %w", tool, err)
		}
	}
	return told, nil
}

// Root finds the project: the directory above the tool's directory.
func Root() (string, error) {
	exe, err := os.Executable() // scripts/bin/bench
	if err != nil {
		return "", err
	}
	root := filepath.Dir(filepath.Dir(filepath.Dir(exe)))
	for _, part := range []string{"servers", "stub", "k6", "scripts"} {
		if _, err := os.Stat(filepath.Join(root, part)); err != nil {
			return "", fmt.Errorf("%s: no directory %s here; start the tool with scripts/bench of the project", root, part)
		}
	}
	return root, nil
}
