// Package hello answers in place of a server of a workload that a test adds.
package hello

import (
	"io"

	"fairstream/stub/common"
)

// Routes are the answers.
var Routes = []common.Route{{Method: "GET", Path: "/hello/", Answer: hello}}

func hello(c *common.Conn, _ *common.Request) bool {
	_, err := io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
	c.Server.Stats.Requests.Add(1)
	c.Server.Stats.Completed.Add(1)
	return err == nil
}
