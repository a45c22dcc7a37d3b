// A relay with Fastify. Client: node:http, whose streams stop reading when the client does.
//
// keepAlive on the agent is not the default: it reuses upstream connections.
// https://nodejs.org/api/http.html#new-agentoptions
import { once } from "node:events";
import http from "node:http";
import { pipeline } from "node:stream/promises";

import Fastify from "fastify";

const upstream = new URL(`${process.env.STUB_URL}/chat/completions`);
const agent = new http.Agent({ keepAlive: true });
const app = Fastify();

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
    const ask = http.request(upstream, {
      agent,
      method: "POST",
      headers: { "content-type": "application/json" },
      signal: left.signal,
    });
    ask.end(
      JSON.stringify({ model: "stub", stream: true, messages: [{ role: "user", content: message }] }),
    );
    [answer] = await once(ask, "response");
    ask.on("error", () => {}); // a client that leaves later; pipeline sees it, too
  } catch (error) {
    return fail(reply, 502, `upstream: ${error.message}`);
  }
  const type = String(answer.headers["content-type"]);
  if (answer.statusCode !== 200 || !type.startsWith("text/event-stream")) {
    answer.on("error", () => {}).destroy();
    return fail(reply, 502, `upstream: status ${answer.statusCode}`);
  }
  reply.hijack(); // Fastify would hold the header back until the first event
  reply.raw.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  reply.raw.flushHeaders();
  try {
    await pipeline(answer, reply.raw);
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

await app.listen({ host: process.env.HOST, port: Number(process.env.PORT) });
