// loop/bun: the simplest Bun program that relays a stream: Bun.listen and
// Bun.connect, copying the upstream's bytes as they are, one write per read.
//
// It is the floor against which a Bun server's CPU time per stream is held, not
// a server to compare with. It leaves out what a server owes: it believes every
// request and answer to be well-formed, every answer to be chunked without
// trailers, and no request to come before the answer to the one before it. It
// answers no error, holds in memory what a slow client does not take, and ends
// at once on SIGTERM.
//
// Bun hands over what it has read in a new Buffer each time, and has no call to
// read into one that exists. Nothing else is allocated per token.

const END = Buffer.from("\r\n0\r\n\r\n"); // the last data's line end, and the empty chunk
const OK = Buffer.from("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
const NONE = Buffer.alloc(0);

// A Side is what is known of one connection.
type Side = {
  peer?: Bun.Socket<Side>; // on the other side, while an answer is relayed
  seen: Buffer; // client: the request so far; upstream: the last bytes of the answer
  rest?: Buffer; // bytes that the kernel has not taken yet
};

const { host, hostname, port, pathname } = new URL(process.env.STUB_URL!);
const idle: Bun.Socket<Side>[] = []; // to the upstream

Bun.listen<Side>({
  hostname: "127.0.0.1",
  port: Number(process.env.PORT),
  socket: {
    open(client) {
      client.data = { seen: NONE };
      client.setNoDelay(true);
    },
    data(client, chunk) {
      const request = (client.data.seen = Buffer.concat([client.data.seen, chunk]));
      const body = request.indexOf("\r\n\r\n") + 4;
      if (body < 4) return;
      const length = Number(/Content-Length: (\d+)/.exec(request.toString("latin1", 0, body))?.[1] ?? 0);
      if (request.length < body + length) return;
      client.data.seen = NONE;
      if (length === 0) send(client, OK); // GET /healthz
      else answer(client, request.toString("utf8", body)).catch(() => client.terminate()); // k6 says: cut
    },
    drain,
    close,
  },
});

async function answer(client: Bun.Socket<Side>, body: string) {
  // {"message":TEXT}: the text is JSON there as it is here, and so is the brace.
  const text = body.slice(body.indexOf(":") + 1);
  const ask = `{"model":"stub","stream":true,"messages":[{"role":"user","content":${text}]}`;
  const head =
    `POST ${pathname}/chat/completions HTTP/1.1\r\nHost: ${host}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(ask)}\r\n\r\n`;
  const upstream = idle.pop() ?? (await connect());
  client.data.peer = upstream;
  upstream.data.peer = client;
  send(upstream, Buffer.from(head + ask));
}

function connect() {
  return Bun.connect<Side>({
    hostname,
    port: Number(port),
    data: { seen: Buffer.alloc(END.length) },
    socket: { open: (upstream) => void upstream.setNoDelay(true), data: relay, drain, close },
  });
}

// relay passes on one read of an answer. The last bytes are kept, so that the
// answer's end is found however it is split.
function relay(upstream: Bun.Socket<Side>, chunk: Buffer) {
  const { peer: client, seen } = upstream.data;
  send(client!, chunk);
  const fresh = Math.min(chunk.length, END.length);
  seen.copyWithin(0, fresh);
  chunk.copy(seen, END.length - fresh, chunk.length - fresh);
  if (seen.equals(END)) {
    client!.data.peer = upstream.data.peer = undefined;
    seen.fill(0);
    idle.push(upstream);
  }
}

function send(to: Bun.Socket<Side>, bytes: Buffer) {
  if (to.data.rest) bytes = Buffer.concat([to.data.rest, bytes]);
  const taken = to.write(bytes);
  to.data.rest = taken < bytes.length ? bytes.subarray(taken) : undefined;
}

function drain(to: Bun.Socket<Side>) {
  if (to.data.rest) send(to, NONE);
}

function close(socket: Bun.Socket<Side>) {
  socket.data.peer?.terminate();
}
