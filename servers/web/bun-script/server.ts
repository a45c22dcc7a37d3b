// bun-script and bun-compiled: one program. The script is run as it is, and the other is
// compiled before, with `bun build --compile --minify`. The two files are equal.
//
// Idiomatic here: the style of Bun's hello world, a fetch handler and nothing else.
//
// Settings that are not the default:
//   - idleTimeout 60 (default 10 s): a client that comes back later finds its
//     connection open. https://bun.sh/docs/api/http#idletimeout
//   - development false (default: unless NODE_ENV is production): an error is
//     answered with a page for its programmer. https://bun.sh/docs/api/http#error-handling

const server = Bun.serve({
  hostname: process.env.HOST,
  port: process.env.PORT,
  idleTimeout: 60,
  development: false,

  fetch(req) {
    const { pathname, searchParams } = new URL(req.url);
    if (req.method === "POST" && pathname === "/json") {
      return req
        .json()
        .then((value) => Response.json(value))
        // The error says no more than that the body is not JSON.
        .catch(() => new Response("want JSON", { status: 400 }));
    }
    if (req.method !== "GET" && req.method !== "HEAD") {
      return new Response("no such path", { status: 404 });
    }
    if (pathname === "/") {
      return new Response("hi");
    }
    if (/^\/id\/[^/]+$/.test(pathname)) {
      const id = decodeURIComponent(pathname.slice("/id/".length));
      const name = searchParams.get("name");
      return new Response(name === null ? id : `${id} ${name}`, {
        headers: { "X-Powered-By": "benchmark" },
      });
    }
    if (pathname === "/data") {
      return new Response(Bun.file("data.json"));
    }
    if (pathname === "/healthz") {
      return new Response("ok");
    }
    return new Response("no such path", { status: 404 });
  },

  // decodeURIComponent throws a URIError.
  error: (error) =>
    error instanceof URIError
      ? new Response("the id is not percent-encoded UTF-8", { status: 400 })
      : new Response("failed", { status: 500 }),
});

for (const signal of ["SIGTERM", "SIGINT"]) {
  process.on(signal, async () => {
    await server.stop(); // waits for open requests
    process.exit(0);
  });
}
