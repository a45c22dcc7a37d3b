// node-ai-sdk: node-fastify, with the agent of AI SDK. agent.js says what is own code and why. All other files are those of
// node-fastify.

import Fastify from "fastify";

import { Followed } from "./follow.js";
import { Run } from "./run.js";
import { openThreads } from "./threads.js";

const { DATABASE_URL, DATABASE_CONNECTIONS = "10", HOST, PORT, REDIS_URL, STUB_URL } = process.env;

const threads = await openThreads(DATABASE_URL, Number(DATABASE_CONNECTIONS));
const followed = await Followed.open(REDIS_URL);
const app = Fastify({ bodyLimit: 16 << 20 });

// An error of a handler has the status of the answer. Those of the database have none of their own.
app.setErrorHandler((error, _, reply) => {
  const status = error.statusCode ?? 503;
  return reply.code(status).send({ error: error.message });
});

const failure = (status, message) => Object.assign(new Error(message), { statusCode: status });

function idOf(request) {
  if (!/^\d{1,18}$/.test(request.params.id)) {
    throw failure(400, "id: want a number");
  }
  return Number(request.params.id);
}

function titleOf(request) {
  if (typeof request.body?.title !== "string") {
    throw failure(400, 'want {"title": "..."}');
  }
  return request.body.title;
}

function numberOf(request, name, otherwise, most) {
  const text = request.query[name] ?? String(otherwise);
  if (!/^\d{1,18}$/.test(text) || Number(text) < 1 || Number(text) > most) {
    throw failure(400, `${name}: want a number, at most ${most}`);
  }
  return Number(text);
}

function known(thread) {
  if (!thread) {
    throw failure(404, "no such thread");
  }
  return thread;
}

app.get("/healthz", () => "ok");

app.post("/threads", async (request, reply) => reply.code(201).send(await threads.create(titleOf(request))));

app.get("/threads", async (request) => ({
  threads: await threads.list(numberOf(request, "limit", 20, 100), numberOf(request, "before", Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)),
}));

app.get("/threads/:id", async (request) => known(await threads.read(idOf(request))));

app.patch("/threads/:id", async (request) => known(await threads.rename(idOf(request), titleOf(request))));

app.delete("/threads/:id", async (request, reply) => {
  known(await threads.remove(idOf(request)));
  return reply.code(204).send();
});

app.get("/threads/:id/messages", async (request, reply) => {
  const id = idOf(request);
  const messages = await threads.messages(id);
  if (messages.length === 0) {
    known(await threads.read(id));
  }
  // The database has each message as JSON.
  reply.type("application/json");
  return `{"messages":[${messages.map((m) => `{"id":${m.id},"message":${m.message}}`).join()}]}`;
});

app.post("/threads/:id/messages", async (request, reply) => {
  const id = idOf(request);
  const content = request.body?.content;
  if (typeof content !== "string" && !Array.isArray(content)) {
    throw failure(400, 'want {"content": "..."}, or a list of parts');
  }
  if (!(await threads.lock(id))) {
    throw failure(409, "the thread has a run");
  }
  let stored, history;
  try {
    stored = await threads.store(id, [JSON.stringify({ role: "user", content })]);
    known(stored);
    history = await threads.messages(id);
  } catch (error) {
    await threads.unlock(id);
    throw error;
  }
  reply.hijack();
  const run = new Run({ id, out: reply.raw, url: STUB_URL, threads, followed });
  await run.answer(stored[0], history.map((m) => m.message));
});

app.get("/threads/:id/events", async (request, reply) => {
  const id = idOf(request);
  known(await threads.read(id));
  reply.hijack();
  await followed.follow(id, request.headers["last-event-id"], reply.raw);
});

for (const signal of ["SIGTERM", "SIGINT"]) {
  process.on(signal, async () => {
    setInterval(() => app.server.closeIdleConnections(), 100); // as requests end
    followed.close(); // subscriptions have no end of their own
    await app.close(); // waits for open runs
    process.exit(0);
  });
}

await app.listen({ host: HOST, port: Number(PORT) });
