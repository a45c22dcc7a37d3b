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
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Manifest } from '../src/data/types.ts';
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
  served = await Served.start(at('site'));
});
afterAll(async () => {
  await served?.stop();
  rmSync(dir, { recursive: true, force: true });
});

const paths = ['', 'history/', 'comparisons/', 'method/', 'run/'];

it('has no page with an error, in any workload', async () => {
  const { workloads } = await json<Manifest>('data/manifest.json');
  expect(workloads.length).toBeGreaterThan(3);
  for (const [i, { name }] of workloads.entries())
    for (const path of paths) {
      const w = await open(served.url + (i === 0 ? '' : `${name}/`) + path);
      if (path === 'run/') await w.page.waitForSelector('#run[data-state=ready] table');
      const text = await w.page.innerText('body');
      for (const words of ['could not be read', 'cannot be read', 'undefined', 'NaN'])
        expect.soft(text, `${path} of ${name}`).not.toContain(words);
      await w.clean();
      await w.close();
    }
});

it('answers which server is cheapest, fastest and smallest, and how often a verdict is wrong', async () => {
  const { answers } = await json<{ answers: string[] }>('latest.json');
  expect(answers).toHaveLength(3);
  const w = await open(served.url);
  const text = (await w.page.textContent('main'))!.replace(/\s+/g, ' ');
  for (const answer of answers)
    for (const sentence of answer.split(/[:.] /).slice(1))
      expect(text).toContain(sentence.replace(/\.$/, ''));
  await w.page.goto(`${served.url}method/`);
  expect(await w.page.textContent('#proven ~ .scroll caption')).toContain('Error rates');
  await w.close();
});
