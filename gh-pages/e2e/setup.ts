// One browser for all tests, and one site with a simulated history. Each test has a context of its own.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    browser: string;
    site: string; // directory of the simulated site
  }
}

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default async function (project: TestProject): Promise<() => Promise<void>> {
  const dir = mkdtempSync(join(tmpdir(), 'fairstream-site-'));
  const simulate = './internal/show/site/simulate/cmd';
  const size = ['-commits', '80', '-details'];
  const to = ['-o', join(dir, 'site'), '-pages', here('../dist')];
  execFileSync('go', ['run', '-C', here('../../scripts'), simulate, ...size, ...to]);
  project.provide('site', join(dir, 'site'));
  const server = await chromium.launchServer({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
  project.provide('browser', server.wsEndpoint());
  return async () => {
    await server.close();
    rmSync(dir, { recursive: true });
  };
}
