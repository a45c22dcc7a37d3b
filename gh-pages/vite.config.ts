import { readFileSync } from 'node:fs';
import { defineConfig } from 'vite';
import { pages } from './pages.ts';

// What every page has is said once. GitHub Pages sends no headers of ours, so the
// policy stands in the head.
const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');
const template = read('page.html').replace('<!--head-->', read('head.html'));

// A page's HTML is no file, but made of the template under the name that a file would have.
const at = (name: string) => new URL(name === 'health' ? 'index.html' : `${name}/index.html`, import.meta.url).pathname;
const html = new Map(Object.entries(pages).map(([name, { title, description, unscripted }]) => [
  at(name),
  template.replaceAll('TITLE', title).replace('DESCRIPTION', description).replace('UNSCRIPTED', unscripted).replace('NAME', name)
    .replaceAll('ROOT', name === 'health' ? '.' : '..'),
]));
const browsers = ['chrome123', 'edge123', 'firefox120', 'safari17.5']; // the first with light-dark()

export default defineConfig({
  base: './', // works under /REPOSITORY/, in a directory, and offline
  define: { PAGES: JSON.stringify(Object.entries(pages).map(([name, { title }]) => [name, title])) },
  plugins: [{
    name: 'pages',
    enforce: 'pre',
    resolveId: (id) => (html.has(id) ? id : undefined),
    load: (id) => html.get(id),
  }],
  build: {
    target: browsers,
    cssTarget: browsers,
    assetsInlineLimit: 0,
    cssCodeSplit: false, // a few KB for all pages, read once
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: Object.fromEntries(Object.keys(pages).map((name) => [name, at(name)])),
      // What pages share is one file, not a dozen: each is a request on a phone.
      output: { codeSplitting: { groups: [{ name: 'shared', minShareCount: 2 }] } },
    },
  },
  test: { include: ['test/**/*.test.ts', 'test/**/*.test.tsx'], testTimeout: 60_000 },
} as import('vitest/config').ViteUserConfig);
