package cmd

import (
	"flag"
	"testing"

	"fairstream/scripts/internal/cli"
)

// All commands that build servers say which Go does it.
func TestCommandsThatBuildServersChooseTheGo(t *testing.T) {
	for name, define := range map[string]func(*flag.FlagSet) cli.Action{
		"build": Build, "verify": Verify, "run": Run, "soak": Soak, "compare": Compare, "prove": Prove,
	} {
		flags := flag.NewFlagSet(name, flag.ContinueOnError)
		define(flags)
		if flags.Lookup("go-toolchain") == nil {
			t.Errorf("%s has no -go-toolchain", name)
		}
	}
}
