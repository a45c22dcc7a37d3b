// Serves the built site as GitHub Pages does: text is gzipped, and cached for ten minutes. Tests
// can inject faults.
import { createServer, type Server } from 'node:http';
import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.xml': 'application/xml',
  '.gz': 'application/gzip',
  '.csv': 'text/csv',
};

export type Fault = 'missing' | 'truncated' | 'newer' | 'offline';

export class Served {
  readonly faults: { path: RegExp; fault: Fault }[] = [];
  readonly asked: string[] = [];
  private constructor(
    private readonly server: Server,
    readonly url: string,
    private readonly dir: string,
  ) {}

  /** Serves a directory under another one, as Pages does. */
  static async start(dir: string): Promise<Served> {
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    const served = new Served(server, `http://127.0.0.1:${address.port}/fairstream/`, dir);
    server.on('request', (request, response) => {
      const path = decodeURIComponent(new URL(request.url!, served.url).pathname).replace(
        /^\/fairstream\//,
        '',
      );
      served.asked.push(path);
      const fault = served.faults.find((f) => f.path.test(path))?.fault;
      if (fault === 'offline') return void response.destroy();
      let body =
        fault === 'missing'
          ? undefined
          : served.body(path.endsWith('/') || path === '' ? `${path}index.html` : path);
      if (body === undefined)
        return void response
          .writeHead(404, { 'content-type': types['.html'] })
          .end(served.body('404.html'));
      if (fault === 'truncated') body = body.subarray(0, body.length >> 1);
      if (fault === 'newer')
        body = Buffer.from(body.toString().replace('"schema":1', '"schema":2'));
      const type = types[extname(path) || '.html'] ?? 'application/octet-stream';
      const packed = type !== 'application/gzip';
      response.writeHead(200, {
        'content-type': type,
        'cache-control': 'max-age=600',
        ...(packed ? { 'content-encoding': 'gzip' } : {}),
      });
      response.end(packed ? gzipSync(body, { level: 6 }) : body);
    });
    return served;
  }

  private body(path: string): Buffer | undefined {
    if (path.includes('..')) return undefined;
    try {
      return readFileSync(join(this.dir, path));
    } catch {
      // not there: 404
      return undefined;
    }
  }

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((done) => this.server.close(() => done()));
  }
}
