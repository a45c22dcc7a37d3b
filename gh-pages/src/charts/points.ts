// The points that github-action-benchmark compares: charts/data.js of the branch, a script
// that sets a global. Here it is read as data and never run.

export interface Bench {
  name: string;
  unit: string;
  value: number;
  range?: string;
  extra?: string;
}
export interface Entry {
  commit: { id: string; message: string; timestamp: string };
  benches: Bench[];
}

/** By suite, by the commits' time. */
export type Charts = Record<string, Entry[]>;

const PREFIX = 'window.BENCHMARK_DATA = ';

/** An error names what is wrong. */
export function parse(text: string): Charts {
  if (!text.startsWith(PREFIX)) throw new Error(`it does not begin with "${PREFIX.trim()}"`);
  const value = JSON.parse(text.slice(PREFIX.length)) as { entries?: unknown };
  const entries = value.entries ?? {};
  if (typeof entries !== 'object' || !Object.values(entries as object).every(areEntries))
    throw new Error('its entries are no lists of commits with benches');
  return entries as Charts;
}

const areEntries = (list: unknown): boolean =>
  Array.isArray(list) &&
  list.every(
    (e: Partial<Entry> | null) =>
      typeof e?.commit?.id === 'string' &&
      typeof e.commit.message === 'string' &&
      typeof e.commit.timestamp === 'string' &&
      Array.isArray(e.benches) &&
      e.benches.every(
        (b: Partial<Bench> | null) =>
          typeof b?.name === 'string' && typeof b.unit === 'string' && typeof b.value === 'number',
      ),
  );

/** A bench's name begins with its server: "relay/go-http stress-200 over direct, epoch 3f9a1c". */
export const serverOf = (bench: string): string => bench.split(' ')[0]!;
export const titleOf = (bench: string): string => bench.slice(serverOf(bench).length).trim();

/** The servers of a workload. */
export const serversOf = (charts: Charts, workload: string): string[] =>
  [
    ...new Set(
      Object.values(charts).flatMap((entries) =>
        entries.flatMap((e) => e.benches.map((b) => serverOf(b.name))),
      ),
    ),
  ]
    .filter((s) => s.startsWith(`${workload}/`))
    .sort();

export interface Series {
  name: string;
  unit: string;
  values: (number | null)[];
} // a value an entry; null: the commit has none

/** The benches of a server in a suite, those of the newest commits first. */
export function seriesOf(entries: Entry[], server: string): Series[] {
  const all = new Map<string, Series>();
  for (const e of entries.toReversed()) {
    for (const b of e.benches)
      if (serverOf(b.name) === server && !all.has(b.name))
        all.set(b.name, { name: b.name, unit: b.unit, values: [] });
  }
  for (const s of all.values())
    s.values = entries.map((e) => e.benches.find((b) => b.name === s.name)?.value ?? null);
  return [...all.values()];
}
