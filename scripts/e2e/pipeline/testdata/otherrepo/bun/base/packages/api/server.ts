import { price } from "@shop/lib";

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: process.env.PORT,
  development: false,
  routes: {
    "/healthz": { GET: () => new Response("ok") },
    "/": { GET: () => priced(new Response("hi")) },
    "/id/:id": { GET: (req) => priced(id(req.params.id, new URL(req.url).searchParams.get("name"))) },
    "/json": { POST: json },
    "/data": { GET: () => priced(new Response(Bun.file("data.json"))) },
  },
  fetch: () => new Response("no such path", { status: 404 }),
});

process.on("SIGTERM", async () => {
  await server.stop(); // waits for open requests
  process.exit(0);
});

function priced(answer: Response): Response {
  answer.headers.set("X-Price", String(price("shoe")));
  return answer;
}

function id(id: string, name: string | null): Response {
  return new Response(name === null ? id : `${id} ${name}`, { headers: { "X-Powered-By": "benchmark" } });
}

async function json(req: Request): Promise<Response> {
  try {
    return priced(Response.json(await req.json()));
  } catch {
    // The error says no more.
    return new Response("want JSON", { status: 400 });
  }
}
