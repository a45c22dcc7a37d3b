// The second halves of / and /id, and the file.

import { Elysia } from "elysia";

export const second = new Elysia()
  .get("/greeting", () => "i")
  .get("/name", ({ request }) => {
    const name = new URL(request.url).searchParams.get("name");
    return name === null ? "" : ` ${name}`;
  })
  .get("/data", () => Bun.file("data.json"));
