// bun-elysia-monorepo-functions: Elysia on Bun, whose handlers put together what the plain
// functions of two modules return.
//
// Idiomatic here: handlers return values, and Elysia makes them responses. The modules know
// nothing of HTTP. They share the routes as the services of bun-elysia-microservices-* do.
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

import * as first from "./first";
import * as second from "./second";

const app = new Elysia({ serve: { idleTimeout: 60 } })
  .get("/healthz", () => "ok")
  .get("/", () => first.greeting() + second.greeting())
  .get("/id/:id", ({ params, request, set }) => {
    set.headers["x-powered-by"] = "benchmark";
    const name = new URL(request.url).searchParams.get("name");
    return first.id(params.id) + second.name(name);
  })
  .post("/json", ({ body }) => first.value(body), { parse: "json" })
  .get("/data", () => second.file())
  .listen({ hostname: process.env.HOST, port: process.env.PORT });

for (const signal of ["SIGTERM", "SIGINT"]) {
  process.on(signal, async () => {
    await app.stop(); // waits for open requests
    process.exit(0);
  });
}
