// What all records of a run share, and the machine that measured it.
import type { Rec } from '../data/types.ts';
import { exact, many, moment } from '../words/numbers.ts';

const or = (text: string | null | undefined) => text ?? 'unknown';

/** Names and values; each value once, if records differ. */
export function facts(records: Rec[]): [name: string, value: string][] {
  const of = (get: (r: Rec) => string): string =>
    [...new Set(records.map(get))].slice(0, 6).join('; ');
  const begin = Math.min(...records.map((r) => Date.parse(r.started)));
  const rows: [string, string][] = [
    ['started', moment(begin / 1000)],
    [
      'machine',
      of(
        (r) =>
          `${or(r.host.cpu)}, ${many(r.host.cores, 'core')}` +
          (r.host.memory_bytes === null
            ? ''
            : `, ${Math.round(r.host.memory_bytes / 2 ** 30)} GiB`),
      ),
    ],
    ['system', of((r) => `${or(r.host.os)}, kernel ${or(r.host.kernel)}`)],
    ['harness', of((r) => `${or(r.run.commit)}${r.run.dirty ? ', with uncommitted changes' : ''}`)],
    ['rig (hash of k6, its scripts and the stub)', of((r) => r.run.rig)],
    ['rounds', of((r) => String(r.run.rounds))],
    ['cores', of((r) => r.run.placement)],
    ['seed of the order of slices', of((r) => String(r.run.seed))],
    [
      'tools',
      of((r) =>
        Object.entries(r.tools)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([name, v]) => `${name} ${v}`)
          .join(', '),
      ),
    ],
  ];
  if (records.some((r) => r.run.load_ms > 0))
    rows.push(["paced load, instead of the scenario's own time", of((r) => `${r.run.load_ms} ms`)]);
  if (records.some((r) => r.run.slice_ms > 0))
    rows.push(["slice, instead of the scenario's own", of((r) => `${r.run.slice_ms} ms`)]);
  if (records.some((r) => r.run.vu_divisor))
    rows.push([
      'VUs of paced levels, of the usual number',
      of((r) => `1/${r.run.vu_divisor ?? 1}`),
    ]);
  if (records.some((r) => r.run.rate_per_s))
    rows.push([
      'requests per second to each target, where load is paced',
      of((r) => String(r.run.rate_per_s ?? 0)),
    ]);
  return rows;
}

/** What readers may compare, which depends on how targets were loaded. */
export function together(records: Rec[]): string {
  const servers = new Set(records.map((r) => r.server.name));
  const k6_runs = new Map<string, Set<string>>();
  for (const r of records) {
    const round = `${r.scenario} ${r.round}`;
    k6_runs.set(round, (k6_runs.get(round) ?? new Set()).add(`${r.run.id} ${r.started}`));
  }
  if (servers.size < 2) return 'One server was loaded. Compare it with its earlier runs.';
  const apart = records.some((r) => r.run.solo) || [...k6_runs.values()].some((l) => l.size > 1);
  return apart
    ? 'Servers were loaded one after the other, minutes apart. Compare each with its earlier runs, not ' +
        'with other servers.'
    : 'All servers were loaded in the same minutes, so you can compare them.';
}

/** The machine's conditions in the slices of these records, from least to most. */
export function conditions(records: Rec[]): string {
  const span = (name: string, unit: string, values: (number | null)[]): string => {
    const known = values.filter((v) => v !== null).sort((a, b) => a - b);
    const [low] = known,
      high = known.at(-1);
    if (low === undefined || high === undefined) return `${name} unknown`;
    return `${name} ${exact(round(low))}${round(low) === round(high) ? '' : ` to ${exact(round(high))}`}${unit}`;
  };
  return [
    span(
      'steal',
      ' %',
      records.map((r) => r.conditions.steal_pct),
    ),
    span(
      'other programs',
      ' % of the machine',
      records.map((r) => r.conditions.others_pct),
    ),
    span(
      'load average before',
      '',
      records.map((r) => r.conditions.load_before),
    ),
  ].join(', ');
}

const round = (v: number) => Math.round(10 * v) / 10;
