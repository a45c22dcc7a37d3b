// Package hello has the checks of a workload that a test adds.
package hello

import (
	"context"
	"fmt"

	"fairstream/scripts/internal/measure/verify"
)

// Checks lists all checks.
var Checks = []verify.Check{
	verify.Ready("A1"),
	{Clause: "A2", Name: "hello", Must: true, Run: hello, Means: "GET / answers hello"},
}

func hello(_ context.Context, s *verify.Subject) error {
	c, err := verify.Dial(s.Port)
	if err != nil {
		return err
	}
	defer c.Close()
	if err := c.Send("GET", "/", "", ""); err != nil {
		return err
	}
	a, err := c.Head()
	if err == nil {
		err = a.Rest()
	}
	if err == nil && string(a.Body) != "hello" {
		err = fmt.Errorf("GET / answers %q; want hello", a.Body)
	}
	return err
}
