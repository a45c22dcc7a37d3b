// The first halves of / and /id, and the value of /json.

import { Elysia } from "elysia";

export const first = new Elysia()
  .get("/greeting", () => "h")
  .get("/id/:id", ({ params }) => params.id)
  .post("/json", ({ body }) => body, { parse: "json" });
