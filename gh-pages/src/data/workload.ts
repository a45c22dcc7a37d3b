// The workload that the page shows: one at a time, since figures of two are never compared. The
// address has it as w=NAME. The first one of the data is left out.
import type { ComparisonRow } from './types.ts';
import type { Manifest, Workload } from './form.ts';

export const KEY = 'w';

let shown: { noun: Workload['unit']; kept: string } = { noun: 'stream', kept: '' };

export const workloadOf = (m: Manifest): Workload | undefined =>
  m.workloads.find((w) => w.name === m.workload);

/** Comparisons on one's own machine of all workloads, newest first, each with the name that its address has. */
export const allComparisons = (
  m: Manifest,
): (ComparisonRow & { workload: string; kept: string })[] =>
  m.workloads
    .flatMap((w, i) =>
      w.comparisons.map((c) => ({ ...c, workload: w.name, kept: i === 0 ? '' : w.name })),
    )
    .sort((a, b) => Date.parse(b.time) - Date.parse(a.time));

/** Every word and link after this is about the manifest's workload. */
export function show(m: Manifest): void {
  const w = workloadOf(m);
  const first = m.workloads[0]?.name === m.workload;
  shown = { noun: w?.unit ?? 'stream', kept: first ? '' : m.workload };
}

/** What one VU does at a time: a stream or a request. */
export const noun = (): Workload['unit'] => shown.noun;

/** The workload that an address asks for; '' is the first. */
export const asked = (query: string): string => new URLSearchParams(query).get(KEY) ?? '';

/** An address or a query, with or without a hash behind it, that keeps the workload. */
export function keeping(address: string, name = shown.kept): string {
  if (name === '') return address;
  const [before = '', ...hash] = address.split('#');
  const joined = `${before}${before.includes('?') ? '&' : '?'}${KEY}=${name}`;
  return [joined, ...hash].join('#');
}
