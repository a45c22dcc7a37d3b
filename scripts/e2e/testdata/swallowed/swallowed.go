// Package swallowed passes errors over, three of them without a reason.
package swallowed

import (
	"os"
	"strconv"
)

func swallow(f *os.File) int {
	f.Close()
	f.Close() // read only
	n, _ := strconv.Atoi(f.Name())
	// Its name is a number.
	m, _ := strconv.Atoi(f.Name())
	return n + m
}

var _ = swallow
