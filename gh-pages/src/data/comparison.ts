// A comparison of base and head: data/comparison.HASH.json, or a part of its report. Its Go
// types are in scripts/internal/show/site/comparison.go.
import { located, type Answer, type Site } from './fetch.ts';
import type { Comparison, ComparisonRow } from './types.ts';

/** The row of a run; undefined for a run other than a comparison. */
export const comparisonRow = (site: Site, run: string): ComparisonRow | undefined =>
  site.manifest.comparisons.find((c) => c.run === run);

export const readComparison = (site: Site, row: ComparisonRow): Promise<Answer<Comparison>> =>
  site.read<Comparison>(() => located(row.file, row.file));
