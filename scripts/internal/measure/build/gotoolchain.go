package build

import (
	"flag"
	"fmt"
	"regexp"

	"fairstream/scripts/internal/judge/raw"
)

// toolchain is GOTOOLCHAIN for the commands of servers. With auto, go gets the Go that the server's go.mod wants. The
// environment often has local, since actions/setup-go sets it.
var toolchain = "auto"

// Flag declares -go-toolchain, for commands that build servers.
func Flag(flags *flag.FlagSet) {
	const usage = "`toolchain` of Go that builds servers: auto is that of their go.mod, downloaded if it is missing; " +
		"local is that of this machine (default auto)"
	flags.Func("go-toolchain", usage, func(value string) error {
		if value != "auto" && value != "local" {
			return fmt.Errorf("want auto or local")
		}
		toolchain = value
		return nil
	})
}

// goEnv is added to the environment of a server's commands: also those that print versions, which then name the Go that
// built the server.
func goEnv() []string { return []string{"GOTOOLCHAIN=" + toolchain} }

// tooOld finds the message of a go command that lacks a newer Go: it could not download it, or must not.
var tooOld = regexp.MustCompile(`(?m)^ *(go: (?:download go([0-9][0-9a-z.]*)[ :]|` +
	`(?:.* )?requires go >= ([0-9][0-9a-z.]*) \(running go [^)]*GOTOOLCHAIN=).*)`)

// lacksGo says which Go a failed build lacks, from its output; "" when it failed otherwise.
func lacksGo(output string) string {
	m := tooOld.FindStringSubmatch(output)
	if m == nil {
		return ""
	}
	next := "install it; in a workflow of another repository, " +
		"the input go-version of compare.yml and publish.yml does that"
	if toolchain == "local" {
		next = "leave out -go-toolchain local, or " + next
	}
	return fmt.Sprintf("Go %s %s; %s\n    %s", m[2]+m[3], raw.NoToolchain, next, m[1])
}
