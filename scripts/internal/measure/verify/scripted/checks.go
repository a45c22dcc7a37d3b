// Package scripted has the checks of servers with a k6 script of their own. The script says what a right answer is, so they ask
// whether it works.
package scripted

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"fairstream/k6/shared/hist"
	"fairstream/scripts/internal/measure/load"
	"fairstream/scripts/internal/measure/verify"
)

// Checks lists all checks. They run one after the other, since all starts of a server share the data in its directory.
var Checks = []verify.Check{
	verify.ReadyWhen("S1", "the server is ready within 30 s of its start"),
	verify.Alone("S2", "script", true, "k6 can run the script, and it sends requests to BASE_URL", script),
	verify.Alone("S3", "checks", false, "each check of the script passes in its first seconds", checks),
	verify.Alone("S4", "sigterm", false, "SIGTERM ends the server within 10 s", verify.EndsOnSIGTERM),
}

// script also asks k6 for the plan, since a round of a comparison cannot take hours.
func script(ctx context.Context, s *verify.Subject) error {
	if _, err := of(s).Plan(ctx); err != nil {
		return verify.Stop{Err: err}
	}
	if _, err := try(ctx, s); err != nil {
		return verify.Stop{Err: err}
	}
	return nil
}

func checks(ctx context.Context, s *verify.Subject) error {
	did, err := try(ctx, s)
	if err != nil {
		return err
	}
	var failed []string
	for _, c := range did.Checks {
		if c.Failed > 0 {
			failed = append(failed, fmt.Sprintf("%q failed %d times of %d", c.Name, c.Failed, c.Failed+c.Passed))
		}
	}
	if failed != nil {
		return errors.New(strings.Join(failed, ", "))
	}
	return nil
}

func of(s *verify.Subject) load.Script {
	d := s.Manifest.Declared
	return load.Script{K6: filepath.Join(s.Root, "k6"), Path: filepath.Join(s.Manifest.Dir, d.Script), BaseURL: d.URL(s.Port), Env: d.Env}
}

func try(ctx context.Context, s *verify.Subject) (hist.Script, error) {
	return of(s).Try(ctx, filepath.Dir(s.Log))
}
