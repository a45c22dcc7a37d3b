// bun-elysia-microservices-in-process: a gateway of Elysia on Bun that calls two services.
// They are Elysia instances of the same process, called through Eden without a network.
//
// Bun closes a connection that asks again before an awaited answer was sent. So pipelined
// requests of /data fail here. https://github.com/oven-sh/bun/pull/38128
//
// Idiomatic here: Eden gives each service a typed client. The services answer with JSON, since
// Eden makes a number of a text that looks like one. The file travels as bytes, so that it
// arrives as it is.
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
//   - parseDate false (default true): Eden would make a Date of each text that looks
//     like one. https://elysiajs.com/eden/treaty/config
//   - throwHttpError true (default false): a service that fails is an error here, and
//     the client gets a 500.

import { treaty } from "@elysiajs/eden";
import { Elysia } from "elysia";

import { first } from "./first";
import { second } from "./second";

const options = { parseDate: false, throwHttpError: true }; // so data is never null
const toFirst = treaty(first, options);
const toSecond = treaty(second, options);

const app = new Elysia({ serve: { idleTimeout: 60 } })
  .get("/healthz", () => "ok")
  .get("/", async () => {
    const [a, b] = await Promise.all([toFirst.greeting.get(), toSecond.greeting.get()]);
    return a.data!.text + b.data!.text;
  })
  .get("/id/:id", async ({ params, request, set }) => {
    set.headers["x-powered-by"] = "benchmark";
    const name = new URL(request.url).searchParams.get("name") ?? undefined;
    const [a, b] = await Promise.all([
      toFirst.id({ id: encodeURIComponent(params.id) }).get(), // Eden does not encode it
      toSecond.name.get({ query: { name } }),
    ]);
    return a.data!.text + b.data!.text;
  })
  .post("/json", async ({ body }) => (await toFirst.json.post(body)).data, { parse: "json" })
  .get("/data", async ({ set }) => {
    set.headers["content-type"] = "application/json";
    return (await toSecond.data.get()).data;
  })
  .listen({ hostname: process.env.HOST, port: process.env.PORT });

for (const signal of ["SIGTERM", "SIGINT"]) {
  process.on(signal, async () => {
    await app.stop(); // waits for open requests
    process.exit(0);
  });
}
