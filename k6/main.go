// Command k6 is the load generator. It is k6, built as a Go module: go.mod and go.sum fix its
// version, and our modules k6/x/sse and k6/x/plain are linked in.
//
// The binary links k6, which is AGPL-3.0 (see README.md).
package main

import (
	_ "fairstream/k6/plain"
	_ "fairstream/k6/scripted"
	_ "fairstream/k6/sse"
	"go.k6.io/k6/cmd"
)

func main() {
	cmd.Execute()
}
