package main

import (
	"fmt"
	"io"
	"time"
)

const mb = 1e6 // bytes

// run soaks, and prints a line for each reading and what follows from all.
func run(c config, out io.Writer) error {
	var clients []*client
	defer func() {
		for _, k := range clients {
			k.end()
		}
	}()
	for _, name := range c.clients {
		k, err := start(c, name)
		if err != nil {
			return err
		}
		clients = append(clients, k)
	}
	fmt.Fprintf(out, "hello @tokens=%d @gap=%v, %d VUs of each\n%-8s", c.tokens, c.gap, c.vus, "")
	for _, k := range clients {
		if _, err := k.after(1); err != nil {
			return err
		}
		fmt.Fprintf(out, " | %-10s %8s %8s", k.name, "RSS", "live")
	}
	fmt.Fprintln(out)
	begun := time.Now()
	for passed := c.every; passed <= c.span; passed += c.every {
		time.Sleep(time.Until(begun.Add(passed)))
		fmt.Fprintf(out, "%-8v", passed)
		for _, k := range clients {
			r, err := k.read()
			if err != nil {
				return fmt.Errorf("%s: %w", k.name, err)
			}
			if n := len(k.seen); n > 0 && r.streams == k.seen[n-1].streams {
				return fmt.Errorf("%s: no stream ended in %v: see what k6 says above", k.name, c.every)
			}
			k.seen = append(k.seen, r)
			fmt.Fprintf(out, " | %10d %5.1f MB %5.2f MB", r.streams, r.rss/mb, r.live/mb)
		}
		fmt.Fprintln(out)
	}
	return judge(clients, out)
}
