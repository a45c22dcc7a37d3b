// Lighthouse, as on a phone. npm fetches it when the gates run, since it is larger than all other
// tools of the site.
import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

const PACKAGE = 'lighthouse@12.6.1'; // the last that runs on Node 20

export interface Scores {
  performance: number;
  accessibility: number;
  practices: number;
  seo: number;
  shift: number;
  blocked_ms: number;
  failed: string[];
}

interface Result {
  lhr: {
    categories: Record<string, { score: number; auditRefs: { id: string; weight: number }[] }>;
    audits: Record<string, { score: number | null; numericValue?: number }>;
  };
}
type Lighthouse = (url: string, events: object) => Promise<Result>;

/** Judges pages in the Chromium that listens at a port. */
export async function lighthouse(
  port: number,
  load: (path: string) => Promise<unknown>,
): Promise<(url: string) => Promise<Scores>> {
  const bin = execFileSync(
    'npm',
    ['exec', '--yes', `--package=${PACKAGE}`, '-c', 'command -v lighthouse'],
    { encoding: 'utf8' },
  ).trim();
  const { default: run } = (await load(join(dirname(realpathSync(bin)), '../core/index.js'))) as {
    default: Lighthouse;
  };
  return async (url) => {
    const { lhr } = await run(url, {
      port,
      output: 'json',
      logLevel: 'error',
      onlyCategories: ['performance', 'accessibility', 'best-practices', 'seo'],
    });
    const score = (category: string) => Math.round(100 * lhr.categories[category]!.score);
    const value = (audit: string) => lhr.audits[audit]!.numericValue!;
    const failed = Object.values(lhr.categories)
      .flatMap((c) => c.auditRefs)
      .filter((r) => r.weight > 0 && (lhr.audits[r.id]!.score ?? 1) < 0.9)
      .map((r) => r.id);
    return {
      performance: score('performance'),
      accessibility: score('accessibility'),
      practices: score('best-practices'),
      seo: score('seo'),
      shift: value('cumulative-layout-shift'),
      blocked_ms: value('total-blocking-time'),
      failed,
    };
  };
}
