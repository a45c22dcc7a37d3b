package web

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// The directory of the servers, and the file whose content the load expects.
const (
	servers  = "../../../../../servers/web"
	expected = "../../../../../k6/web/lib/data.json"
)

// Servers differ by what their names say, and by nothing else: each has the same file to send, some are
// one program that runs in two ways, and some share a part. A server is its directory, so that they have copies.
func TestCopiesAreEqual(t *testing.T) {
	data, err := filepath.Glob(filepath.Join(servers, "*/data.json"))
	if err != nil || len(data) == 0 {
		t.Fatalf("%d copies of data.json: %v", len(data), err)
	}
	pairs := [][2]string{
		{"bun-script/server.ts", "bun-compiled/server.ts"},
		{"node-fastify/server.js", "bun-fastify/server.js"},
		{"node-express/server.js", "bun-express/server.js"},
		{"bun-elysia-microservices-in-process/first.ts", "bun-elysia-microservices-network/first.ts"},
		{"bun-elysia-microservices-in-process/second.ts", "bun-elysia-microservices-network/second.ts"},
		{"../relay/cpp-beast/server.hpp", "cpp-beast/server.hpp"},
		{"../relay/cpp-beast/server.hpp", "../files/cpp-beast/server.hpp"},
		{"../relay/cpp-beast/upstream.hpp", "../files/cpp-beast/upstream.hpp"},
	}
	for i := range pairs {
		pairs[i] = [2]string{filepath.Join(servers, pairs[i][0]), filepath.Join(servers, pairs[i][1])}
	}
	for _, copied := range data {
		pairs = append(pairs, [2]string{expected, copied})
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
