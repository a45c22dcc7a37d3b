// A relay with Fastify. Client: undici, which is Node's own fetch without its web streams.
//
// Settings that are not the default:
//   - headersTimeout and bodyTimeout 0 (default 300 s): a model may think for longer.
//     https://undici.nodejs.org/#/docs/api/Client?id=parameter-clientoptions
//   - keepAliveTimeout 75 s on both sides (default 72 s in Fastify, 4 s in undici): the
//     contract asks for 60 s.
import { pipeline } from "node:stream/promises";

import Fastify from "fastify";
import { Agent } from "undici";

const upstream = new URL(`${process.env.STUB_URL}/chat/completions`);
const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: 75_000 });
const app = Fastify({ keepAliveTimeout: 75_000 });

app.get("/healthz", () => "ok");

app.post("/chat", async (request, reply) => {
  const message = request.body?.message;
  if (typeof message !== "string") {
    return fail(reply, 400, 'want {"message": "..."}');
  }
  const left = new AbortController();
  reply.raw.once("close", () => left.abort()); // the client has left, or has all
  let answer;
  try {
    answer = await agent.request({
      origin: upstream.origin,
      path: upstream.pathname,
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        model: "stub",
        stream: true,
        messages: [{ role: "user", content: message }],
      }),
      signal: left.signal,
    });
  } catch (error) {
    return fail(reply, 502, `upstream: ${error.message}`);
  }
  const type = String(answer.headers["content-type"]);
  if (answer.statusCode !== 200 || !type.startsWith("text/event-stream")) {
    answer.body.on("error", () => {}).destroy();
    return fail(reply, 502, `upstream: status ${answer.statusCode}`);
  }
  reply.hijack(); // Fastify would hold the header back until the first event
  reply.raw.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  reply.raw.flushHeaders();
  try {
    await pipeline(answer.body, reply.raw);
  } catch {
    // One side left before the end: pipeline has closed the other.
  }
});

function fail(reply, status, error) {
  return reply.code(status).send({ error });
}

process.once("SIGTERM", async () => {
  setInterval(() => app.server.closeIdleConnections(), 100).unref(); // as streams end
  await app.close(); // waits for open streams
  process.exit(0);
});

await app.listen({ host: "127.0.0.1", port: Number(process.env.PORT) });
