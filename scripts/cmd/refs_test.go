package cmd

import (
	"flag"
	"strings"
	"testing"

	"fairstream/scripts/internal/cli"
)

// git takes a tag "origin/gh-pages" before the branch of that name, so the default of a flag is a full name.
func TestBranchesAreNamedInFull(t *testing.T) {
	seen := 0
	for _, define := range []func(*flag.FlagSet) cli.Action{Plan, Check, Comment, Watch} {
		flags := flag.NewFlagSet("", flag.ContinueOnError)
		define(flags)
		flags.VisitAll(func(f *flag.Flag) {
			if strings.Contains(f.DefValue, "gh-pages") {
				seen++
				if f.DefValue != "refs/remotes/origin/gh-pages" {
					t.Errorf("-%s is %s by default", f.Name, f.DefValue)
				}
			}
		})
	}
	if seen != 2 {
		t.Errorf("%d flags name the branch, want 2", seen)
	}
}
