// bun-web-standard: Bun's own server, and otherwise only what browsers have, too.
//
// Idiomatic here: one fetch handler with Request, Response and URL, so that the same
// handler would run elsewhere. Bun's router is not used. Only the file is Bun's.
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
  fetch: handle,
});

for (const signal of ["SIGTERM", "SIGINT"]) {
  process.on(signal, async () => {
    await server.stop(); // waits for open requests
    process.exit(0);
  });
}

function handle(req: Request): Response | Promise<Response> {
  const url = new URL(req.url);
  switch (req.method) {
    case "GET":
    case "HEAD": // Bun leaves out the body
      return get(url);
    case "POST":
      return url.pathname === "/json" ? json(req) : fail(404, "no such path");
    default:
      return fail(405, "no such method");
  }
}

function get(url: URL): Response {
  switch (url.pathname) {
    case "/healthz":
      return new Response("ok");
    case "/":
      return new Response("hi");
    case "/data":
      return new Response(Bun.file("data.json"));
  }
  const [, first, id, ...rest] = url.pathname.split("/");
  return first === "id" && id && rest.length === 0
    ? idAndName(id, url.searchParams.get("name"))
    : fail(404, "no such path");
}

function idAndName(encoded: string, name: string | null): Response {
  let id: string;
  try {
    id = decodeURIComponent(encoded);
  } catch {
    // The error says no more.
    return fail(400, "the id is not percent-encoded UTF-8");
  }
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
