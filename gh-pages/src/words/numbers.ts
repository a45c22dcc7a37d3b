// Numbers as people read them: three significant digits, which is what a measurement
// here supports; the exact value goes into a title beside it.
import type { Metric } from '../data/form.ts';

const NARROW = '\u202f'; // no-break, so that a unit never stands alone
const MINUS = '\u2212';

/** Three significant digits, without an exponent in the sizes that occur: 0.0123, 4.20, 12,300. */
export function three(v: number): string {
  if (!Number.isFinite(v)) return 'unknown';
  if (v === 0) return '0';
  const size = Math.abs(v);
  if (size >= 1e15 || size < 1e-6) return sign(v.toExponential(2));
  const [whole = '', part] = fixed(size).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return (v < 0 ? MINUS : '') + (part === undefined ? grouped : `${grouped}.${part}`);
}

/** toPrecision(3) of a positive value, spelt without an exponent. */
function fixed(size: number): string {
  const rounded = Number(size.toPrecision(3));
  const digitsAfter = Math.max(0, 2 - Math.floor(Math.log10(rounded)));
  return rounded.toFixed(Math.min(digitsAfter, 100));
}

const sign = (text: string) => text.replaceAll('-', MINUS);

/** Every digit that is known, for titles and files. */
export const exact = (v: number): string => sign(String(Number(v.toPrecision(12))));

/** The unit that a metric is shown in. */
export function unitOf(m: Pick<Metric, 'unit' | 'scale'>): string {
  if (m.unit === 'bytes' && m.scale === 1e-6) return 'MB';
  if (m.unit.startsWith('bytes/')) return `B/${m.unit.slice(6)}`;
  return exactUnit(m);
}

/**
 * That of exact values; a stream is what a request asks for, and req/s is the metric's name
 * everywhere.
 */
const exactUnit = ({ unit }: Pick<Metric, 'unit'>): string =>
  ({ ratio: '', us: 'µs', 'streams/s': 'req/s', 'requests/s': 'req/s' })[unit] ?? unit;

/** The exact value with the metric's own unit. */
export const exactly = (v: number | null, m: Pick<Metric, 'unit'>): string =>
  v === null ? 'not measured' : joined(exact(v), exactUnit(m));

const joined = (number: string, unit: string) =>
  unit === '' ? number : `${number}${NARROW}${unit}`;

/** 1,234 */
export const count = (n: number): string => String(n).replace(/\B(?=(\d{3})+$)/g, ',');

/** "1 commit", "2 commits" */
export const many = (n: number, one: string, more = `${one}s`): string =>
  `${count(n)} ${n === 1 ? one : more}`;

/** "a, b and c" */
export const listed = (words: string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

/**
 * 2026-11-20 10:00 UTC; time in unix seconds. The same everywhere, so that two readers speak of one
 * moment.
 */
export const moment = (time: number | null): string =>
  time === null
    ? 'unknown time'
    : `${new Date(time * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
