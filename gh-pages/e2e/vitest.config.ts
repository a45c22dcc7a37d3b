import { defineConfig } from 'vitest/config';

// One file at a time, and all in one process: they share a browser, simulated histories
// and what is imported, and the machine is small.
export default defineConfig({
  root: import.meta.dirname,
  cacheDir: '../node_modules/.vite',
  test: {
    include: ['*.test.ts'],
    exclude: process.env.PICTURES === undefined ? ['look.test.ts'] : [],
    globalSetup: ['setup.ts'],
    fileParallelism: false,
    isolate: false,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
