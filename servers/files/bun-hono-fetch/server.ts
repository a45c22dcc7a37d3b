// bun-hono-fetch: Hono on Bun's own server, and fetch.
//
// Idiomatic here: the upstream's body is handed to the answer as it is, so that bytes pass through Bun's
// native code and never enter JavaScript. Bun 1.4.5 sends a body in chunks while it still streams, so it
// passes on the Content-Length only of a file that has already arrived.
//
// Settings that are not the default:
//   - idleTimeout 0 (default 10 s): it would close an answer whose upstream or client pauses for longer.
//     https://bun.sh/docs/api/http#idletimeout
//   - signal on the upstream request: without it, a client that leaves before the upstream's headers does
//     not end the upstream request. https://bun.sh/docs/api/fetch#canceling-a-request
//   - Accept-Encoding identity (default: any, inflated on the way): a length is that of the bytes which the
//     upstream sends. https://bun.sh/docs/api/fetch
//   - BUN_CONFIG_MAX_HTTP_REQUESTS 4096, in .env, which Bun reads when it starts (default 256): it is how
//     many requests fetch has open at once. https://bun.sh/docs/api/fetch#simultaneous-connection-limit
//   - development false (default: unless NODE_ENV is production): an error is answered with a page for its
//     programmer. https://bun.sh/docs/api/http#error-handling

import { type Context, Hono } from "hono";

const app = new Hono();
app.get("/healthz", (c) => c.text("ok"));
app.get("/files/:name", file);
app.notFound((c) => fail(c, 404, "no such path"));

const server = Bun.serve({
  hostname: process.env.HOST,
  port: process.env.PORT,
  idleTimeout: 0,
  development: false,
  fetch: app.fetch,
});

for (const signal of ["SIGTERM", "SIGINT"]) {
  process.on(signal, async () => {
    await server.stop(); // waits for open answers
    process.exit(0);
  });
}

async function file(c: Context): Promise<Response> {
  let upstream: Response;
  try {
    upstream = await fetch(process.env.STUB_URL + c.req.path, {
      method: c.req.method,
      headers: { "Accept-Encoding": "identity" },
      signal: c.req.raw.signal,
    });
  } catch (error) {
    return fail(c, 502, `upstream: ${error}`); // no one reads it if the client has left
  }
  if (upstream.status !== 200) {
    await upstream.body?.cancel();
    return fail(c, upstream.status === 404 ? 404 : 502, `upstream: status ${upstream.status}`);
  }
  const headers = new Headers();
  for (const name of ["Content-Type", "Content-Length"]) {
    const value = upstream.headers.get(name);
    if (value !== null) {
      headers.set(name, value);
    }
  }
  return new Response(upstream.body, { headers });
}

function fail(c: Context, status: 404 | 502, message: string): Response {
  return c.json({ error: message }, status);
}
