import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { defineConfig } from 'vite';

// scripts/bench site writes the pages, with the names in assets.json. Here are their scripts and the style sheet.

// Small scripts with fixed names, which run before a page is drawn. Their comments stay here.
const uncommented = (file: string) =>
  readFileSync(new URL(file, import.meta.url), 'utf8').replace(/^ *\/\/.*\n/gm, '');

// The page that GitHub Pages shows at an unknown address. It cannot know where the site's files
// are. So its script is inside it, and its policy allows no other.
const lostScript = uncommented('src/lost.js');
const lost = readFileSync(new URL('src/lost.html', import.meta.url), 'utf8')
  .replace('HASH', `sha256-${createHash('sha256').update(lostScript).digest('base64')}`)
  .replace('SCRIPT', () => lostScript);

// the first with light-dark()
export const browsers = ['chrome123', 'edge123', 'firefox120', 'safari17.5'];

export default defineConfig({
  base: './', // works under /REPOSITORY/, in a directory, and offline
  plugins: [
    {
      name: 'small files',
      generateBundle() {
        const emit = (fileName: string, source: string) =>
          this.emitFile({ type: 'asset', fileName, source });
        emit('early.js', uncommented('src/early.js'));
        emit('moved.js', uncommented('src/moved.js'));
        emit('404.html', lost);
      },
    },
  ],
  build: {
    target: browsers,
    cssTarget: browsers,
    assetsInlineLimit: 0,
    cssCodeSplit: false, // a few KB for all pages, read once
    modulePreload: { polyfill: false },
    manifest: 'assets.json',
    rolldownOptions: { input: ['src/pages/site.ts', 'src/pages/history.ts', 'src/pages/run.tsx'] },
  },
  test: {
    include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
} as import('vitest/config').ViteUserConfig);
