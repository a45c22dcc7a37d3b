package main

import (
	"io"
	"net"
	"time"
)

// relay is a slow relay between the stub and its clients. It passes requests on at once, and each
// piece of an answer after a delay of hold. It serves until the program ends.
func relay(to string, hold time.Duration) (address string, err error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	go func() {
		for {
			client, err := ln.Accept()
			if err != nil {
				return
			}
			go pass(client, to, hold)
		}
	}()
	return ln.Addr().String(), nil
}

// pass ends when either side closes. The client notices a cut answer.
func pass(client net.Conn, to string, hold time.Duration) {
	defer client.Close()
	server, err := net.Dial("tcp", to)
	if err != nil {
		return
	}
	defer server.Close()
	go func() {
		_, _ = io.Copy(server, client) // either side may end it
		server.Close()                 // ends the reading below
	}()
	type late struct {
		data []byte
		due  time.Time
	}
	line := make(chan late, 1000)
	go func() {
		for l := range line {
			time.Sleep(time.Until(l.due))
			_, _ = client.Write(l.data) // the client notices a cut answer
		}
	}()
	defer close(line)
	for {
		data := make([]byte, 64<<10)
		n, err := server.Read(data)
		if err != nil {
			return
		}
		line <- late{data[:n], time.Now().Add(hold)}
	}
}
