// A shop with sessions: a login gives a token, and a search wants it. It uses node:http alone, so that there is nothing to
// install.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';

const goods = Array.from({ length: 500 }, (_, id) => ({ id, name: `item ${id}`, price: (id * 37) % 100 }));
const sessions = new Set();

const answer = (res, status, value) => {
  const body = JSON.stringify(value);
  res.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) });
  res.end(body);
};

const search = (query) => goods.filter((item) => item.name.includes(query)).slice(0, 20);

const server = createServer((req, res) => {
  const url = new URL(req.url, 'http://shop');
  if (url.pathname === '/health') return answer(res, 200, { ok: true });
  if (req.method === 'POST' && url.pathname === '/login') {
    const token = randomUUID();
    sessions.add(token);
    return answer(res, 201, { token });
  }
  if (req.method === 'DELETE' && url.pathname === '/login') {
    const known = sessions.delete(req.headers.authorization);
    return answer(res, known ? 200 : 401, { known });
  }
  if (url.pathname === '/search') {
    if (!sessions.has(req.headers.authorization)) return answer(res, 401, { error: 'log in first' });
    return answer(res, 200, search(url.searchParams.get('q') ?? ''));
  }
  answer(res, 404, { error: 'no such page' });
});

server.listen(Number(process.env.PORT), process.env.HOST);
process.on('SIGTERM', () => server.close(() => process.exit(0)));
