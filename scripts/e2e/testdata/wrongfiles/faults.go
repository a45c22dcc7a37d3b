package main

import (
	"bytes"
	"strconv"
)

// pad fills a body up to its length.
func pad(o out, sent int64) error {
	length, err := strconv.ParseInt(o.Header().Get("Content-Length"), 10, 64)
	if err != nil {
		return err
	}
	return o.send(bytes.Repeat([]byte("0"), int(length-sent)))
}
