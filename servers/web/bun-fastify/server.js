// node-fastify and bun-fastify: one program on two runtimes. The two files are equal.
//
// Idiomatic here: handlers return values, and Fastify makes them responses. It parses and
// serialises JSON, refuses an invalid body, and answers HEAD. It ignores NODE_ENV.
//
// Settings that are not the default:
//   - maxParamLength 4096 (default 100): a longer id would be an unknown path.
//     https://fastify.dev/docs/latest/Reference/Server/#maxparamlength

import { readFile } from "node:fs/promises";

import Fastify from "fastify";

const app = Fastify({ routerOptions: { maxParamLength: 4096 } });

app.get("/healthz", () => "ok");

app.get("/", () => "hi");

app.get("/id/:id", (request, reply) => {
  const { id } = request.params;
  const [name] = [request.query.name].flat(); // an array if there are several
  reply.header("x-powered-by", "benchmark");
  return reply.send(name === undefined ? id : `${id} ${name}`);
});

app.post("/json", async (request) => request.body);

app.get("/data", async (request, reply) => {
  reply.type("application/json");
  return readFile("data.json");
});

for (const signal of ["SIGTERM", "SIGINT"]) {
  process.on(signal, async () => {
    setInterval(() => app.server.closeIdleConnections(), 100); // as requests end
    await app.close(); // waits for open requests
    process.exit(0);
  });
}

await app.listen({ host: process.env.HOST, port: Number(process.env.PORT) });
