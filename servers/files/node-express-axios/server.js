// node-express-axios: Express, and axios with responseType stream.
//
// Idiomatic here: axios hands over the upstream's body as a Node stream, and pipeline pipes it into the
// answer. pipeline waits for a slow client, and closes either side when the other one breaks off.
//
// Settings that are not the default:
//   - keepAlive on the agent, which the default of axios lacks, and maxFreeSockets 1024 (default 256): how
//     many idle upstream connections it keeps. https://nodejs.org/api/http.html#new-agentoptions
//   - decompress false and Accept-Encoding identity (default: any, inflated on the way): a length is that of
//     the bytes which the upstream sends. https://axios-http.com/docs/req_config
//   - validateStatus null: a status does not throw. https://axios-http.com/docs/req_config
//   - maxRedirects 0: the upstream has none, and without them axios uses Node's own client, not
//     follow-redirects. https://axios-http.com/docs/req_config
//   - proxy false (default: from the environment): the upstream is reached without one.
//     https://axios-http.com/docs/req_config
//   - NODE_ENV production: errors then have no stack traces.
//     https://expressjs.com/en/advanced/best-practice-performance.html
//   - x-powered-by off, as Express recommends. https://expressjs.com/en/advanced/best-practice-security.html
//   - keepAliveTimeout 72 s (default 5 s), as in Fastify: clients keep idle connections for longer.
//     https://nodejs.org/api/http.html#serverkeepalivetimeout
import http from "node:http";
import { pipeline } from "node:stream/promises";

import axios from "axios";
import express from "express";

const upstream = axios.create({
  baseURL: process.env.STUB_URL,
  responseType: "stream",
  httpAgent: new http.Agent({ keepAlive: true, maxFreeSockets: 1024 }),
  headers: { "Accept-Encoding": "identity" },
  decompress: false,
  validateStatus: null,
  maxRedirects: 0,
  proxy: false,
});

process.env.NODE_ENV = "production"; // Express reads it when an app is made
const app = express();
app.disable("x-powered-by");
app.get("/healthz", (request, response) => response.send("ok"));
app.get("/files/:name", file);

const server = app.listen(Number(process.env.PORT), process.env.HOST);
server.keepAliveTimeout = 72_000;

for (const signal of ["SIGTERM", "SIGINT"]) {
  process.once(signal, () => {
    setInterval(() => server.closeIdleConnections(), 100).unref(); // as answers end
    server.close(() => process.exit(0)); // waits for open answers
  });
}

async function file(request, response) {
  const left = new AbortController();
  response.once("close", () => left.abort()); // the client has left, or has all
  let answer;
  try {
    answer = await upstream.request({ method: request.method, url: request.path, signal: left.signal });
  } catch (error) {
    return fail(response, 502, `upstream: ${error.message}`); // no one reads it if the client has left
  }
  if (answer.status !== 200) {
    answer.data.on("error", () => {}).resume(); // so that its connection can be used again
    return fail(response, answer.status === 404 ? 404 : 502, `upstream: status ${answer.status}`);
  }
  for (const name of ["Content-Type", "Content-Length"]) {
    if (answer.headers.has(name)) {
      response.setHeader(name, answer.headers.get(name));
    }
  }
  try {
    await pipeline(answer.data, response);
  } catch {
    // One side left before the end: pipeline has closed the other.
  }
}

function fail(response, status, error) {
  response.status(status).json({ error });
}
