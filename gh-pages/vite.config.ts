import { existsSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vite';

// The pages that there are: a directory with an index.html, and its script. A page
// that is not written yet is not built, and has no place in the navigation.
const names = ['health', 'trend', 'leaderboard', 'run', 'compare', 'regressions', 'scores', 'memory', 'method'];
const pages = names.filter((name) => existsSync(new URL(`src/pages/${name}.tsx`, import.meta.url)));
const file = (name: string) => (name === 'health' ? 'index.html' : `${name}/index.html`);

// What every page's head has is said once. GitHub Pages sends no headers of ours, so
// the policy stands in the page.
const head = readFileSync(new URL('head.html', import.meta.url), 'utf8');
const browsers = ['chrome123', 'edge123', 'firefox120', 'safari17.5']; // the first with light-dark()

export default defineConfig({
  base: './', // works under /REPOSITORY/, in a directory, and offline
  define: { PAGES: JSON.stringify(pages) },
  plugins: [{
    name: 'head',
    transformIndexHtml: { order: 'pre', handler: (html, { path }) => html.replace('<!--head-->', head.replaceAll('ROOT', path === '/index.html' ? '.' : '..')) },
  }],
  build: {
    target: browsers,
    cssTarget: browsers,
    assetsInlineLimit: 0,
    cssCodeSplit: false, // a few KB for all pages, read once
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: Object.fromEntries(pages.map((name) => [name, new URL(file(name), import.meta.url).pathname])),
      // What pages share is one file, not a dozen: each is a request on a phone.
      output: { codeSplitting: { groups: [{ name: 'shared', minShareCount: 2 }] } },
    },
  },
  test: { include: ['test/**/*.test.ts', 'test/**/*.test.tsx'], testTimeout: 60_000 },
} as import('vitest/config').ViteUserConfig);
