// Convert names the workload in trials that were stored before records named it:
// each line of a file read from standard input. Nothing else of a line changes.
package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
)

func main() {
	in := bufio.NewReader(os.Stdin)
	before, after := []byte(`"pair":{"server":`), []byte(`"pair":{"workload":"relay","server":`)
	for {
		line, err := in.ReadBytes('\n')
		if err == io.EOF && len(line) == 0 {
			return
		}
		if err != nil || bytes.Count(line, before) != 1 {
			fmt.Fprintf(os.Stderr, "convert: %v, or a line without a pair as it was\n", err)
			os.Exit(1)
		}
		if _, err := os.Stdout.Write(bytes.Replace(line, before, after, 1)); err != nil {
			fmt.Fprintln(os.Stderr, "convert:", err)
			os.Exit(1)
		}
	}
}
