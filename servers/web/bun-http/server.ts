// bun-http: Bun's own server with its router, nothing else.
//
// Idiomatic here: a route for each path, with a handler for each method. Bun's native
// router finds the route and decodes the path's parameters. It answers HEAD, too.
//
// A constant Response as a route would answer without JavaScript. Here a handler runs
// for each request, as in all servers of this workload.
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
  routes: {
    "/healthz": { GET: () => new Response("ok") },
    "/": { GET: () => new Response("hi") },
    "/id/:id": { GET: (req) => id(req.params.id, new URL(req.url).searchParams.get("name")) },
    "/json": { POST: json },
    "/data": { GET: () => new Response(Bun.file("data.json")) },
  },
  fetch: () => fail(404, "no such path"),
});

for (const signal of ["SIGTERM", "SIGINT"]) {
  process.on(signal, async () => {
    await server.stop(); // waits for open requests
    process.exit(0);
  });
}

function id(id: string, name: string | null): Response {
  return new Response(name === null ? id : `${id} ${name}`, {
    headers: { "X-Powered-By": "benchmark" },
  });
}

async function json(req: Request): Promise<Response> {
  try {
    return Response.json(await req.json());
  } catch {
    // The error says no more.
    return fail(400, "want JSON");
  }
}

function fail(status: number, message: string): Response {
  return Response.json({ error: message }, { status });
}
