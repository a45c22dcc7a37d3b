// bun-http: Bun's own server and fetch, nothing else.
//
// Idiomatic here: the upstream body is handed to the Response as it is, so that
// tokens pass through Bun's native code and never enter JavaScript. Client: fetch.
//
// Settings that are not the default:
//   - idleTimeout 0 (default 10 s): it would close a stream whose model thinks
//     for longer. https://bun.sh/docs/api/http#idletimeout
//   - signal on the upstream request: without it, a client that leaves before
//     the upstream's headers does not end the upstream request.
//     https://bun.sh/docs/api/fetch#canceling-a-request
//   - BUN_CONFIG_MAX_HTTP_REQUESTS 4096, in .env, which Bun reads when it starts
//     (default 256): it is how many requests fetch has open at once.
//     https://bun.sh/docs/api/fetch#simultaneous-connection-limit
//   - development false (default: unless NODE_ENV is production): an error is
//     answered with a page for its programmer. https://bun.sh/docs/api/http#error-handling

const chatURL = `${process.env.STUB_URL}/chat/completions`;

const server = Bun.serve({
  hostname: process.env.HOST,
  port: process.env.PORT,
  idleTimeout: 0,
  development: false,
  routes: {
    "/healthz": { GET: () => new Response("ok") },
    "/chat": { POST: chat },
  },
  fetch: () => fail(404, "no such path"),
});

for (const signal of ["SIGTERM", "SIGINT"]) {
  process.on(signal, async () => {
    await server.stop(); // waits for open streams
    process.exit(0);
  });
}

async function chat(req: Request): Promise<Response> {
  const input = await req.json().catch(() => null); // answered with 400 below
  if (typeof input?.message !== "string") {
    return fail(400, 'want {"message": "..."}');
  }
  let upstream: Response;
  try {
    upstream = await fetch(chatURL, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({
        model: "stub",
        stream: true,
        messages: [{ role: "user", content: input.message }],
      }),
      signal: req.signal,
    });
  } catch (error) {
    return fail(502, `upstream: ${error}`);
  }
  if (upstream.status !== 200 || !upstream.headers.get("Content-Type")?.startsWith("text/event-stream")) {
    await upstream.body?.cancel();
    return fail(502, `upstream: ${upstream.status} ${upstream.statusText}`);
  }
  return new Response(upstream.body, {
    headers: { "Content-Type": "text/event-stream", "Cache-Control": "no-cache" },
  });
}

function fail(status: number, message: string): Response {
  return Response.json({ error: message }, { status });
}
