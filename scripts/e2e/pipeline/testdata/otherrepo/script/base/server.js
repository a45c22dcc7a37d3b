import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { search } from './search.js';

const sessions = new Set();

const answer = (res, status, value) => {
  const body = JSON.stringify(value);
  res.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) });
  res.end(body);
};

const server = createServer((req, res) => {
  const url = new URL(req.url, 'http://shop');
  if (req.method === 'POST' && url.pathname === '/login') {
    const token = randomUUID();
    sessions.add(token);
    return answer(res, 200, { token });
  }
  if (!sessions.has(req.headers.authorization)) return answer(res, 401, { error: 'log in first' });
  if (url.pathname === '/search') return answer(res, 200, search(url.searchParams.get('q') ?? ''));
  if (url.pathname === '/cart') return answer(res, 200, { items: [] });
  answer(res, 404, { error: 'no such page' });
});

server.listen(Number(process.env.PORT), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
