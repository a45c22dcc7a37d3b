import { defineConfig } from 'vitest/config';

// A process for each core, and one browser for all. In a process, simulated histories and
// what is imported are made once. Pages may wait long: the limits are no measure of them.
export default defineConfig({
  root: import.meta.dirname,
  cacheDir: '../node_modules/.vite',
  test: {
    include: ['*.test.ts'],
    exclude: process.env.PICTURES === undefined ? ['look.test.ts'] : [],
    globalSetup: ['setup.ts'],
    maxWorkers: '100%',
    isolate: false,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
