// Package answers answers in place of a server that has no upstream, as a lower bound: whole answers that were prepared
// before. POST /answers prepares a list, and /answers/N answers with the one at N, counted from 0. It reads
// nothing else of a request.
package answers

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"fairstream/stub/common"
)

// Routes are what this workload answers.
var Routes = new(answers).routes()

// methods are those that a server of the workload may be asked with.
var methods = []string{"GET", "POST", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"}

// answers are the prepared ones. A request that began before another list came may get an old answer.
type answers struct{ list atomic.Pointer[[]prepared] }

// path of the list; that of an answer continues with / and its number.
const path = "/answers"

func (a *answers) routes() []common.Route {
	routes := []common.Route{{Method: "POST", Path: path, Answer: a.prepare}}
	for _, method := range methods {
		routes = append(routes, common.Route{Method: method, Path: path + "/", Answer: a.answer})
	}
	return routes
}

// maxList limits the description of a list, in bytes.
const maxList = 16 << 20

// prepare replaces the list.
func (a *answers) prepare(c *common.Conn, r *common.Request) bool {
	c.Server.Stats.Others.Add(1) // no load
	if len(r.Body) > maxList {
		return c.Fail(http.StatusRequestEntityTooLarge, fmt.Sprintf("request body: %d bytes; want at most %d", len(r.Body), maxList))
	}
	list, err := parse(r.Body)
	if err != nil {
		return c.Fail(http.StatusBadRequest, err.Error())
	}
	a.list.Store(&list)
	return c.Reply(http.StatusOK, map[string]int{"answers": len(list)})
}

// answer writes the answer of a number, at the cost of one write. It is over at once, so it is not in
// Stats.Active.
func (a *answers) answer(c *common.Conn, r *common.Request) bool {
	start := time.Now()
	stats := &c.Server.Stats
	stats.Requests.Add(1)
	text := strings.TrimPrefix(r.URL.Path, path+"/")
	n, err := strconv.Atoi(text)
	list := a.list.Load()
	if list == nil || err != nil || n < 0 || n >= len(*list) {
		return c.Fail(http.StatusNotFound, missing(text, list))
	}
	bytes := (*list)[n].whole
	if r.Method == "HEAD" {
		bytes = (*list)[n].head
	}
	_, err = c.Write(bytes)
	if err != nil {
		stats.Cancelled.Add(1)
	} else {
		stats.Completed.Add(1)
	}
	stats.StreamUS.Add(time.Since(start).Microseconds())
	return err == nil
}

// missing says why there is no answer of a number.
func missing(number string, list *[]prepared) string {
	if list == nil || len(*list) == 0 {
		return fmt.Sprintf("answer %q: no answers are prepared; POST them to %s first", number, path)
	}
	return fmt.Sprintf("answer %q: want a number from 0 to %d", number, len(*list)-1)
}
