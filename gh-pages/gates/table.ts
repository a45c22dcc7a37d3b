// The gates' table: what is wanted, what was seen, and how slow the machine was then.
import { loadavg } from 'node:os';

export interface Row {
  gate: string;
  limit: string;
  seen: string;
  ok: boolean;
  loop: string;
}

const LOOP_SLICES = 2e7;

/**
 * Milliseconds of a loop that is always the same: what else runs on the machine makes it longer.
 */
export function loop_ms(): number {
  const begin = performance.now();
  let x = 1;
  for (let i = 0; i < LOOP_SLICES; i++) x = (Math.imul(x, 1103515245) + 12345) | 0;
  return performance.now() - begin + (x === 0.5 ? 1 : 0); // used, so that it is not left out
}

export const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;

/** The value under which this share of all lie. */
export const quantile = (values: number[], share: number): number =>
  values.toSorted((a, b) => a - b)[
    Math.min(values.length - 1, Math.floor(share * values.length))
  ] ?? NaN;

export class Rows {
  readonly all: Row[] = [];
  private readonly loops: number[] = [];

  constructor(private readonly of: string) {}

  /** A gate that counts: the same on any machine. */
  exact(gate: string, seen: number, most: number, unit = ''): void {
    this.add(gate, `<= ${shown(most)}${unit}`, `${shown(seen)}${unit}`, seen <= most, '');
  }

  /** A gate that takes time; loops were run just before. */
  timed(gate: string, seen: number, most: number, loops: number[], unit = ' ms'): void {
    this.loops.push(...loops);
    this.add(
      gate,
      `<= ${shown(most)}${unit}`,
      `${shown(seen)}${unit}`,
      seen <= most,
      `${Math.round(median(loops))} ms`,
    );
  }

  least(gate: string, seen: number, least: number, loops: number[] = []): void {
    this.add(
      gate,
      `>= ${shown(least)}`,
      shown(seen),
      seen >= least,
      loops.length ? `${Math.round(median(loops))} ms` : '',
    );
  }

  /** A gate that lets nothing through. */
  none(gate: string, found: string[]): void {
    this.add(gate, 'none', found.length === 0 ? 'none' : found.join('; '), found.length === 0, '');
  }

  private add(gate: string, limit: string, seen: string, ok: boolean, loop: string): void {
    this.all.push({ gate: `${this.of}: ${gate}`, limit, seen, ok, loop });
    console.error(`${ok ? 'ok' : 'NOT OK'}  ${this.of}: ${gate}: ${seen}, ${limit}`);
  }

  /** How slow the machine was: the loop beside itself at its quickest. */
  busy(): string {
    const times = this.loops.toSorted((a, b) => a - b);
    const [least, most] = [Math.round(times[0]!), Math.round(times.at(-1)!)];
    return (
      `${this.of}: the loop took ${least} to ${most} ms, half of the time over ` +
      `${Math.round(median(times))}; load average ${loadavg()[0]!.toFixed(1)}`
    );
  }
}

const shown = (v: number): string =>
  Number.isInteger(v)
    ? v.toLocaleString('en-GB')
    : v.toLocaleString('en-GB', { maximumSignificantDigits: 3 });

export function printed(rows: Row[]): string {
  const lines = [
    ['gate', 'limit', 'seen', 'ok', 'loop'],
    ...rows.map((r) => [r.gate, r.limit, r.seen, r.ok ? 'yes' : 'NO', r.loop]),
  ];
  const wide = lines[0]!.map((_, i) => Math.max(...lines.map((l) => l[i]!.length)));
  return lines
    .map((l) =>
      l
        .map((text, i) => text.padEnd(wide[i]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
