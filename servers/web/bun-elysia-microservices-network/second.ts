// The service of the second halves of / and /id, and of the file.

import { Elysia, t } from "elysia";

export const second = new Elysia()
  .get("/greeting", () => ({ text: "i" }))
  .get("/name", ({ query: { name } }) => ({ text: name === undefined ? "" : ` ${name}` }), {
    query: t.Object({ name: t.Optional(t.String()) }),
  })
  .get("/data", () => Bun.file("data.json", { type: "application/octet-stream" }));
