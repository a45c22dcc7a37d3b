import { defineConfig } from 'vitest/config';

// One file at a time: they share one browser and the machine is small.
export default defineConfig({
  root: import.meta.dirname,
  cacheDir: '../node_modules/.vite',
  test: { include: ['*.test.ts'], globalSetup: ['setup.ts'], fileParallelism: false, testTimeout: 300_000, hookTimeout: 300_000 },
});
