package web

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

const servers = "../../../../../servers/web"

// Some servers are one program that runs in two ways. A server is its directory, so that they have copies.
func TestCopiesAreEqual(t *testing.T) {
	pairs := [][2]string{
		{"bun-script/server.ts", "bun-compiled/server.ts"},
		{"node-fastify/server.js", "bun-fastify/server.js"},
		{"node-express/server.js", "bun-express/server.js"},
		{"bun-elysia-microservices-in-process/first.ts", "bun-elysia-microservices-network/first.ts"},
		{"bun-elysia-microservices-in-process/second.ts", "bun-elysia-microservices-network/second.ts"},
	}
	for i := range pairs {
		pairs[i] = [2]string{filepath.Join(servers, pairs[i][0]), filepath.Join(servers, pairs[i][1])}
	}
	for _, pair := range pairs {
		a, err := os.ReadFile(pair[0])
		if err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(pair[1])
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(a, b) {
			t.Errorf("%s and %s differ; copy one to the other", pair[0], pair[1])
		}
	}
}
