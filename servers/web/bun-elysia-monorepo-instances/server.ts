// bun-elysia-monorepo-instances: Elysia on Bun, whose handlers put together what the Elysia
// instances of two modules answer. They are called with .handle, within the process.
//
// Idiomatic here: .handle takes a Request and gives a Response. The value of /json is parsed
// and serialised on the way in and on the way back, as between bun-elysia-microservices-*.
// The modules share the routes as the services there do.
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

import { first } from "./first";
import { second } from "./second";

const app = new Elysia({ serve: { idleTimeout: 60 } })
  .get("/healthz", () => "ok")
  .get("/", () => joined("/greeting", "/greeting"))
  .get("/id/:id", ({ params, request, set }) => {
    set.headers["x-powered-by"] = "benchmark";
    return joined(`/id/${encodeURIComponent(params.id)}`, `/name${new URL(request.url).search}`);
  })
  .post(
    "/json",
    async ({ body }) => {
      const answer = await first.handle(
        new Request("http://first/json", { method: "POST", body: JSON.stringify(body) }),
      );
      return answer.json();
    },
    { parse: "json" },
  )
  .get("/data", () => second.handle(new Request("http://second/data")))
  .listen({ hostname: process.env.HOST, port: process.env.PORT });

// joined asks both modules at once, and puts their texts together.
async function joined(ofFirst: string, ofSecond: string): Promise<string> {
  const answers = await Promise.all([
    first.handle(new Request(`http://first${ofFirst}`)),
    second.handle(new Request(`http://second${ofSecond}`)),
  ]);
  const [a, b] = await Promise.all(answers.map((answer) => answer.text()));
  return a + b;
}

for (const signal of ["SIGTERM", "SIGINT"]) {
  process.on(signal, async () => {
    await app.stop(); // waits for open requests
    process.exit(0);
  });
}
