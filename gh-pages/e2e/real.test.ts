// The site that `scripts/bench site -o` makes of the files of this repository: the trials, and the stored runs of
// all workloads. Every page of it is opened. Nothing is simulated.
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Manifest } from '../src/data/form.ts';
import type { Proven } from '../src/data/types.ts';
import { pages } from '../pages.ts';
import { cells, settle } from './looks.ts';
import { open } from './page.ts';
import { Served } from './server.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
let dir: string, served: Served;
const json = async <T>(path: string): Promise<T> =>
  (await (await fetch(served.url + path)).json()) as T;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'fairstream-real-'));
  const at = (path: string) => join(dir, path);
  // A project of its own, so that publish does not build the pages anew that other tests are reading.
  for (const path of ['scripts/bin', 'scripts/internal/judge/prove', 'gh-pages'])
    mkdirSync(at(path), { recursive: true });
  for (const path of [
    'scripts/internal/judge/prove/trials',
    'scripts/GLOSSARY.md',
    'servers',
    'stub',
    'k6',
  ])
    symlinkSync(join(root, path), at(path));
  const project = { name: 'pages', version: '1.0.0' };
  const build = `cp -r '${join(root, 'gh-pages/dist')}' dist`;
  writeFileSync(at('gh-pages/package.json'), JSON.stringify({ ...project, scripts: { build } }));
  writeFileSync(
    at('gh-pages/package-lock.json'),
    JSON.stringify({ ...project, lockfileVersion: 3, packages: { '': project } }),
  );
  const bench = at('scripts/bin/bench');
  execFileSync('go', [
    'build',
    '-C',
    join(root, 'scripts'),
    '-trimpath',
    '-buildvcs=false',
    '-o',
    bench,
    '.',
  ]);
  const runs = readdirSync(join(root, 'servers'), { withFileTypes: true })
    .filter((d) => d.isDirectory())
    .map((d) => join(root, 'servers', d.name, 'results.jsonl'))
    .filter((path) => existsSync(path));
  expect(runs.length).toBeGreaterThan(3);
  execFileSync(bench, ['site', '-history', 'none', '-o', at('site'), ...runs], { cwd: dir });
  served = await Served.start(new Map(), pathToFileURL(at('site/')));
});
afterAll(async () => {
  await served?.stop();
  rmSync(dir, { recursive: true, force: true });
});

it('has no page with an error, in any workload', async () => {
  const { workloads } = await json<Manifest>('data/manifest.json');
  expect(workloads.length).toBeGreaterThan(3);
  for (const { name } of workloads)
    for (const page of Object.keys(pages)) {
      const path = page === 'health' ? '' : `${page}/`;
      const w = await open(`${served.url}${path}?w=${name}`);
      await settle(w, 'h1');
      const text = await w.page.innerText('body');
      for (const words of ['could not be read', 'cannot be read', 'undefined', 'NaN'])
        expect.soft(text, `${page} of ${name}`).not.toContain(words);
      await w.clean();
      await w.close();
    }
});

it('shows the error rates that were measured', async () => {
  const { proven } = await json<Manifest>('data/manifest.json');
  const { tables } = await json<Proven>(proven!);
  const w = await open(`${served.url}method/`);
  await settle(w, 'section[aria-labelledby=proven] table');
  expect(tables.length).toBeGreaterThan(10);
  for (const t of tables) expect(await cells(w, t.title)).toEqual([t.head, ...t.rows]);
  await w.close();
});
