// The service of the first halves of / and /id, and of the value of /json.

import { Elysia } from "elysia";

export const first = new Elysia()
  .get("/greeting", () => ({ text: "h" }))
  .get("/id/:id", ({ params }) => ({ text: params.id }))
  .post("/json", ({ body }) => body, { parse: "json" });
