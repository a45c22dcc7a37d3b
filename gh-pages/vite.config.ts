import { existsSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vite';
import { titles } from './src/frame/titles.ts';

// The pages that there are: a directory with an index.html, and its script. A page
// that is not written yet is not built, and has no place in the navigation.
const names = ['health', 'trend', 'leaderboard', 'run', 'compare', 'regressions', 'scores', 'memory', 'method'];
const pages = names.filter((name) => existsSync(new URL(`src/pages/${name}.tsx`, import.meta.url)));
const file = (name: string) => (name === 'health' ? 'index.html' : `${name}/index.html`);

// What every page's head has is said once. GitHub Pages sends no headers of ours, so
// the policy stands in the page.
const rooted = (html: string, path: string) => html.replaceAll('ROOT', path === '/index.html' ? '.' : '..');
const head = readFileSync(new URL('head.html', import.meta.url), 'utf8');

// The page's head as src/frame/frame.tsx draws it before anything is known: without
// scripts it is all the navigation there is, and with them nothing moves when it comes.
const frame = (of: string) => {
  const root = of === 'health' ? './' : '../';
  const link = (name: string) => `href="${root}${name === 'health' ? '' : `${name}/`}"`;
  const places = Object.entries(titles).filter(([name]) => pages.includes(name))
    .map(([name, title]) => `<li><a ${link(name)}${name === of ? ' aria-current="page"' : ''}>${title}</a></li>`);
  return '<a class="skip" href="#page">Skip to the content</a><header><div class="top">'
    + `<a class="brand" ${link(pages.includes('health') ? 'health' : of)}>Fairstream</a><nav aria-label="Pages"><ul>${places.join('')}</ul></nav>`
    + `<label class="theme">Theme <select>${['auto', 'light', 'dark'].map((c) => `<option>${c}</option>`).join('')}</select></label></div><p class="asof">&nbsp;</p></header>`;
};

// A script holds up the parser, and where a page has a policy in itself Chromium does not
// read ahead: so it comes after all else that is to be asked for at once.
const early = '<script src="ROOT/early.js"></script>\n';

const browsers = ['chrome123', 'edge123', 'firefox120', 'safari17.5']; // the first with light-dark()

export default defineConfig({
  base: './', // works under /REPOSITORY/, in a directory, and offline
  define: { PAGES: JSON.stringify(pages) },
  plugins: [{
    name: 'head',
    transformIndexHtml: {
      order: 'pre',
      handler: (html, { path }) => html.replace('<!--head-->', rooted(head, path))
        .replace('<div id="frame">', `$&${frame(path === '/index.html' ? 'health' : path.split('/')[1]!)}`),
    },
  }, {
    name: 'early',
    transformIndexHtml: { order: 'post', handler: (html, { path }) => html.replace('</head>', rooted(early, path) + '$&') },
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
