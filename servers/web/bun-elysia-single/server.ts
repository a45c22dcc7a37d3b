// bun-elysia-single: Elysia on Bun, all routes on one instance.
//
// Idiomatic here: handlers return values, and Elysia makes them responses.
//
// A constant in place of a handler would answer without JavaScript. Here a handler runs
// for each request, as in all servers of this workload.
//
// Elysia's query keeps the last of parameters with the same name. The contract wants the
// first, so a standard URL reads the query.
//
// Settings that are not the default:
//   - NODE_ENV production, in .env, which Bun reads when it starts: Elysia then leaves
//     details out of its errors.
//     https://elysiajs.com/patterns/configuration#allowunsafevalidationdetails
//   - idleTimeout 60 (default 10 s): a client that comes back later finds its
//     connection open. https://elysiajs.com/patterns/configuration#serve
//   - parse json: a body is JSON, whatever its type says.
//     https://elysiajs.com/essential/life-cycle#parse

import { Elysia } from "elysia";

const app = new Elysia({ serve: { idleTimeout: 60 } })
  .get("/healthz", () => "ok")
  .get("/", () => "hi")
  .get("/id/:id", ({ params, request, set }) => {
    set.headers["x-powered-by"] = "benchmark";
    const name = new URL(request.url).searchParams.get("name");
    return name === null ? params.id : `${params.id} ${name}`;
  })
  .post("/json", ({ body }) => body, { parse: "json" })
  .get("/data", () => Bun.file("data.json"))
  .listen({ hostname: process.env.HOST, port: process.env.PORT });

for (const signal of ["SIGTERM", "SIGINT"]) {
  process.on(signal, async () => {
    await app.stop(); // waits for open requests
    process.exit(0);
  });
}
