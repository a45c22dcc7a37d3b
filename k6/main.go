// Command k6 is the load generator: k6, built here as a Go module, so that its
// version is pinned by go.mod and go.sum and so that our own k6 module,
// k6/x/sse, is linked in.
//
// The binary is a work that links k6, which is AGPL-3.0 (see README.md).
package main

import (
	_ "fairstream/k6/sse"
	"go.k6.io/k6/cmd"
)

func main() {
	cmd.Execute()
}
