// node-express and bun-express: one program on two runtimes. The two files are equal.
//
// Idiomatic here: express.json parses the body, and res.json serialises the value. res.send
// would call a text HTML, so the answers name their type. Express answers HEAD.
//
// Settings that are not the default:
//   - NODE_ENV production: errors then have no stack traces.
//     https://expressjs.com/en/advanced/best-practice-performance.html
//   - x-powered-by off (default: Express): the contract wants it of /id alone.
//     https://expressjs.com/en/api.html#app.settings.table
//   - limit 1 MB of a JSON body (default 100 kB), strict off, so that any JSON value is a
//     body, and verify, since Express would make {} of an empty body.
//     https://expressjs.com/en/api.html#express.json
//   - keepAliveTimeout 60 s (default 5 s): a client that comes back later finds its
//     connection open. https://nodejs.org/api/http.html#serverkeepalivetimeout

import { readFile } from "node:fs/promises";

import express from "express";

process.env.NODE_ENV = "production"; // Express reads it when an app is made

const app = express();
app.disable("x-powered-by");

app.get("/healthz", (req, res) => {
  res.type("text/plain").send("ok");
});

app.get("/", (req, res) => {
  res.type("text/plain").send("hi");
});

app.get("/id/:id", (req, res) => {
  const { id } = req.params;
  const [name] = [req.query.name].flat(); // an array if there are several
  res.set("x-powered-by", "benchmark").type("text/plain");
  res.send(name === undefined ? id : `${id} ${name}`);
});

app.post("/json", express.json({ limit: "1mb", strict: false, verify: notEmpty }), (req, res) => {
  res.json(req.body);
});

app.get("/data", async (req, res) => {
  res.type("json").send(await readFile("data.json"));
});

app.use((req, res) => {
  res.status(404).json({ error: "no such path" });
});

// Without this, Express would print the stack of each error.
app.use((error, req, res, next) => {
  res.status(error.status ?? 500).json({ error: error.message });
});

function notEmpty(req, res, body) {
  if (body.length === 0) {
    throw Object.assign(new Error("want JSON"), { status: 400 });
  }
}

const server = app.listen(Number(process.env.PORT), process.env.HOST);
server.keepAliveTimeout = 60_000;

for (const signal of ["SIGTERM", "SIGINT"]) {
  process.on(signal, () => {
    setInterval(() => server.closeIdleConnections(), 100); // as requests end
    server.close(() => process.exit(0)); // waits for open requests
  });
}
