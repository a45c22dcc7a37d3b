import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { inner, pages } from './pages.ts';
import { choices } from './src/frame/theme.ts';

// What every page has is said once, in page.html. GitHub Pages sends no headers of
// ours, so the policy stands in its head.
const template = readFileSync(new URL('page.html', import.meta.url), 'utf8');

// The page's head. Without scripts it is the whole navigation. src/frame/frame.tsx draws only
// what it learns, in the place of #state.
const frame = (of: string, root: string) => {
  const link = (name: string) => `href="${root}/${name === 'health' ? '' : `${name}/`}"`;
  const places = Object.entries(pages)
    .filter(([name]) => !inner.includes(name))
    .map(
      ([name, { title }]) =>
        `<li><a ${link(name)}${name === of ? ' aria-current="page"' : ''}>${title}</a></li>`,
    );
  return (
    '<a class="skip" href="#page">Skip to the content</a><header><div class="top">' +
    `<a class="brand" ${link('health')}>Fairstream</a><nav aria-label="Pages"><ul>${places.join('')}</ul></nav>` +
    '<label class="workload" hidden>Workload <select></select></label>' +
    `<label class="theme">Theme <select>${choices.map((c) => `<option>${c}</option>`).join('')}</select></label></div><div id="state"><p class="asof">&nbsp;</p></div></header>`
  );
};

// There are no HTML files: each page is made from the template, under the name that a file would
// have.
const at = (name: string) =>
  fileURLToPath(new URL(name === 'health' ? 'index.html' : `${name}/index.html`, import.meta.url));
const html = new Map(
  Object.entries(pages).map(([name, { title, description, unscripted }]) => {
    const root = name === 'health' ? '.' : '..';
    return [
      at(name),
      template
        .replaceAll('TITLE', title)
        .replace('DESCRIPTION', description)
        .replace('UNSCRIPTED', unscripted)
        .replace('NAME', name)
        .replace('<!--frame-->', frame(name, root))
        .replaceAll('ROOT', root),
    ];
  }),
);

// A script holds up the parser, and Chromium does not read ahead in a page with its own policy.
// So the script comes after all other early requests. It is a plain script with a fixed name; its
// comments stay here.
const uncommented = (file: string) =>
  readFileSync(new URL(file, import.meta.url), 'utf8').replace(/^ *\/\/.*\n/gm, '');
const earlyScript = uncommented('src/early.js');
const early = (root: string) => `<script src="${root}/early.js"></script>\n`;

// The page that GitHub Pages shows at an unknown address. It cannot know where the site's files
// are. So its script is inside it, and its policy allows no other.
const lostScript = uncommented('src/lost.js');
const lost = readFileSync(new URL('src/lost.html', import.meta.url), 'utf8')
  .replace('HASH', `sha256-${createHash('sha256').update(lostScript).digest('base64')}`)
  .replace('SCRIPT', () => lostScript);

const ofRuns = /\/src\/(run\/|data\/(run|figures|resolve)\.|chart\/lines)/;

// the first with light-dark()
export const browsers = ['chrome123', 'edge123', 'firefox120', 'safari17.5'];

export default defineConfig({
  base: './', // works under /REPOSITORY/, in a directory, and offline
  plugins: [
    {
      name: 'pages',
      enforce: 'pre',
      resolveId: (id) => (html.has(id) ? id : undefined),
      load: (id) => html.get(id),
      generateBundle() {
        this.emitFile({ type: 'asset', fileName: 'early.js', source: earlyScript });
        this.emitFile({ type: 'asset', fileName: '404.html', source: lost });
      },
      transformIndexHtml: {
        order: 'post',
        handler: (text, { path }) =>
          text.replace('</head>', early(path === '/index.html' ? '.' : '..') + '$&'),
      },
    },
  ],
  server: { fs: { allow: ['.', '../scripts/GLOSSARY.md'] } },
  build: {
    target: browsers,
    cssTarget: browsers,
    assetsInlineLimit: 0,
    cssCodeSplit: false, // a few KB for all pages, read once
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: Object.fromEntries(Object.keys(pages).map((name) => [name, at(name)])),
      // What pages share is one file, not a dozen: each is a request on a phone. What reads runs is
      // another, since Trend, which draws with the largest of all scripts, has no use for it.
      output: {
        codeSplitting: {
          groups: [
            { name: 'shared', minShareCount: 2, priority: 1, test: (id) => !ofRuns.test(id) },
            { name: 'runs', minShareCount: 2, test: ofRuns },
          ],
        },
      },
    },
  },
  test: {
    include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
} as import('vitest/config').ViteUserConfig);
