// node-fastify-undici: Fastify, and undici, the client behind Node's fetch.
//
// Idiomatic here: undici's request hands over the upstream's body as a Node stream, and Fastify sends a
// stream as it comes. It waits for a slow client, and destroys the connection when the stream breaks off.
//
// Settings that are not the default:
//   - connections 1024 on the agent (default: no limit): as many as clients, and no more.
//     https://undici.nodejs.org/#/docs/api/Agent
//   - keepAliveTimeout 60 s (default 4 s): how long an idle upstream connection is kept.
//     https://undici.nodejs.org/#/docs/api/Client
import Fastify from "fastify";
import { Agent, request as ask } from "undici";

const dispatcher = new Agent({ connections: 1024, keepAliveTimeout: 60_000 });
const app = Fastify();

app.setErrorHandler((error, request, reply) => fail(reply, 502, `upstream: ${error.message}`)); // it broke off before the first byte
app.get("/healthz", () => "ok");
app.get("/files/:name", file);

for (const signal of ["SIGTERM", "SIGINT"]) {
  process.once(signal, async () => {
    setInterval(() => app.server.closeIdleConnections(), 100).unref(); // as answers end
    await app.close(); // waits for open answers
    process.exit(0);
  });
}

await app.listen({ host: process.env.HOST, port: Number(process.env.PORT) });

async function file(request, reply) {
  const left = new AbortController();
  reply.raw.once("close", () => left.abort()); // the client has left, or has all
  let answer;
  try {
    answer = await ask(process.env.STUB_URL + request.url, { method: request.method, dispatcher, signal: left.signal });
  } catch (error) {
    return fail(reply, 502, `upstream: ${error.message}`); // no one reads it if the client has left
  }
  if (answer.statusCode !== 200) {
    await answer.body.dump(); // so that its connection can be used again
    return fail(reply, answer.statusCode === 404 ? 404 : 502, `upstream: status ${answer.statusCode}`);
  }
  for (const name of ["content-type", "content-length"]) {
    if (name in answer.headers) {
      reply.header(name, answer.headers[name]);
    }
  }
  return reply.send(answer.body);
}

function fail(reply, status, error) {
  return reply.code(status).type("application/json").send({ error }); // not the file's type
}
