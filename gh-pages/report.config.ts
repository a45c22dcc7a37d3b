// Builds dist/report.html: the page of a run as one file, its script and style in it.
// scripts/bench run puts the run's data in.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { browsers } from './vite.config.ts';

const at = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const hash = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`;

export default defineConfig({
  base: './',
  plugins: [
    {
      name: 'one file',
      enforce: 'post',
      generateBundle(_, bundle) {
        const all = Object.values(bundle);
        const scripts = all.flatMap((x) => (x.type === 'chunk' ? [x.code] : []));
        const styles = all.flatMap((x) => (x.type === 'asset' ? [String(x.source)] : []));
        const [script, style] = [scripts[0], styles[0]];
        if (script === undefined || style === undefined || all.length !== 2)
          throw new Error(
            `report: want one script and one style, got ${all.map((x) => x.fileName).join(', ')}`,
          );
        if (/<\/script|<!--/i.test(script) || /<\/style/i.test(style))
          throw new Error('report: the script or the style would end early in the page');
        for (const name of Object.keys(bundle)) delete bundle[name];
        const parts: Record<string, string> = {
          'SCRIPT-HASH': hash(script),
          'STYLE-HASH': hash(style),
          SCRIPT: script,
          STYLE: style,
        };
        const source = readFileSync(at('report.html'), 'utf8').replace(
          /SCRIPT-HASH|STYLE-HASH|SCRIPT|STYLE/g,
          (part) => parts[part]!,
        );
        this.emitFile({ type: 'asset', fileName: 'report.html', source });
      },
    },
  ],
  build: {
    target: browsers,
    cssTarget: browsers,
    cssCodeSplit: false,
    modulePreload: false,
    emptyOutDir: false,
    rolldownOptions: { input: at('src/pages/report.tsx'), output: { codeSplitting: false } },
  },
});
