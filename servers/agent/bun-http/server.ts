// bun-http: Bun's own server, fetch, PostgreSQL and Redis clients.
//
// Idiomatic here: routes are functions from a Request to a Response. A run writes its events into a stream, and its
// requests end when it fails or the client leaves. threads.ts has the queries, run.ts a run, agent.ts the loop of model
// and tools, follow.ts the subscriptions.
//
// Settings that are not the default:
//   - idleTimeout 0 (default 10 s): it would close a stream whose model thinks
//     for longer. https://bun.sh/docs/api/http#idletimeout
//   - BUN_CONFIG_MAX_HTTP_REQUESTS 4096, in .env, which Bun reads when it starts
//     (default 256): it is how many requests fetch has open at once.
//     https://bun.sh/docs/api/fetch#simultaneous-connection-limit
//   - development false (default: unless NODE_ENV is production): an error is
//     answered with a page for its programmer. https://bun.sh/docs/api/http#error-handling

import { Followed } from "./follow.ts";
import { Run } from "./run.ts";
import { openThreads } from "./threads.ts";

const { DATABASE_URL, DATABASE_CONNECTIONS = "10", HOST, PORT, REDIS_URL, STUB_URL } = process.env as Record<string, string>;

const threads = await openThreads(DATABASE_URL, Number(DATABASE_CONNECTIONS));
const followed = await Followed.open(REDIS_URL);

class Failure extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

const answer = (value: unknown, status = 200) => Response.json(value, { status });

// handled answers errors. Those of the database have no status of their own.
function handled(handler: (request: Bun.BunRequest) => Promise<Response>) {
  return async (request: Bun.BunRequest) => {
    try {
      return await handler(request);
    } catch (error) {
      return answer({ error: (error as Error).message }, error instanceof Failure ? error.status : 503);
    }
  };
}

function idOf(request: Bun.BunRequest): number {
  const { id } = request.params as { id: string };
  if (!/^\d{1,18}$/.test(id)) {
    throw new Failure(400, "id: want a number");
  }
  return Number(id);
}

async function bodyOf(request: Request): Promise<Record<string, unknown>> {
  try {
    return Object(await request.json());
  } catch (error) {
    throw new Failure(400, (error as Error).message);
  }
}

async function titleOf(request: Request): Promise<string> {
  const { title } = await bodyOf(request);
  if (typeof title !== "string") {
    throw new Failure(400, 'want {"title": "..."}');
  }
  return title;
}

function numberOf(request: Request, name: string, otherwise: number, most: number): number {
  const text = new URL(request.url).searchParams.get(name) ?? String(otherwise);
  if (!/^\d{1,18}$/.test(text) || Number(text) < 1 || Number(text) > most) {
    throw new Failure(400, `${name}: want a number, at most ${most}`);
  }
  return Number(text);
}

function known<T>(thread: T | undefined): T {
  if (!thread) {
    throw new Failure(404, "no such thread");
  }
  return thread;
}

async function create(request: Bun.BunRequest) {
  return answer(await threads.create(await titleOf(request)), 201);
}

async function list(request: Bun.BunRequest) {
  const most = Number.MAX_SAFE_INTEGER;
  const page = await threads.list(numberOf(request, "limit", 20, 100), numberOf(request, "before", most, most));
  return answer({ threads: page });
}

async function read(request: Bun.BunRequest) {
  return answer(known(await threads.read(idOf(request))));
}

async function rename(request: Bun.BunRequest) {
  const id = idOf(request);
  return answer(known(await threads.rename(id, await titleOf(request))));
}

async function remove(request: Bun.BunRequest) {
  known(await threads.remove(idOf(request)));
  return new Response(null, { status: 204 });
}

async function messages(request: Bun.BunRequest) {
  const id = idOf(request);
  const all = await threads.messages(id);
  if (all.length === 0) {
    known(await threads.read(id));
  }
  // The database has each message as JSON.
  const text = all.map((m) => `{"id":${m.id},"message":${m.message}}`).join();
  return new Response(`{"messages":[${text}]}`, { headers: { "Content-Type": "application/json" } });
}

const events = { "Content-Type": "text/event-stream", "Cache-Control": "no-cache" };

async function say(request: Bun.BunRequest) {
  const id = idOf(request);
  const { content } = await bodyOf(request);
  if (typeof content !== "string" && !Array.isArray(content)) {
    throw new Failure(400, 'want {"content": "..."}, or a list of parts');
  }
  if (!(await threads.lock(id))) {
    throw new Failure(409, "the thread has a run");
  }
  try {
    const [stored] = known(await threads.store(id, [JSON.stringify({ role: "user", content })]));
    const history = await threads.messages(id);
    const run = new Run(id, STUB_URL, threads, followed, request.signal);
    const body = run.answer(stored, history.map((m) => m.message));
    return new Response(body, { headers: events });
  } catch (error) {
    await threads.unlock(id);
    throw error;
  }
}

async function follow(request: Bun.BunRequest) {
  const id = idOf(request);
  known(await threads.read(id));
  // The stream of a client that does not read is stuck, so only a timeout ends its connection.
  const drop = () => server.timeout(request, 1);
  return new Response(await followed.follow(id, request.headers.get("Last-Event-ID"), drop), { headers: events });
}

const server = Bun.serve({
  hostname: HOST,
  port: PORT,
  idleTimeout: 0,
  development: false,
  routes: {
    "/healthz": { GET: () => new Response("ok") },
    "/threads": { POST: handled(create), GET: handled(list) },
    "/threads/:id": { GET: handled(read), PATCH: handled(rename), DELETE: handled(remove) },
    "/threads/:id/messages": { GET: handled(messages), POST: handled(say) },
    "/threads/:id/events": { GET: handled(follow) },
  },
  fetch: () => answer({ error: "no such path" }, 404),
});

for (const signal of ["SIGTERM", "SIGINT"]) {
  process.on(signal, async () => {
    followed.close(); // subscriptions have no end of their own
    await server.stop(); // waits for open runs
    process.exit(0);
  });
}
