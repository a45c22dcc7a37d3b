// Epochs: stretches with the same machine and rig. Nothing is compared, and no line
// goes, from one to the next.
import type { Epoch, Manifest } from './form.ts';

/** Of each commit the place of its epoch. */
export const epochsOf = ({ cuts, commits }: Manifest): number[] =>
  cuts.flatMap(([at, epoch], i) =>
    Array<number>((cuts[i + 1]?.[0] ?? commits.count) - at).fill(epoch),
  );

/** Points that no line comes to from the one before: they are of another epoch. */
export const breaksOf = (epoch: readonly number[]): number[] =>
  epoch.flatMap((e, i) => (i > 0 && e !== epoch[i - 1] ? [i] : []));

/** The same of all commits. */
export const breaksIn = (m: Manifest): number[] => m.cuts.slice(1).map(([at]) => at);

/** The differences between two epochs in words. short is for places with little room. */
export function differs(
  a: Epoch | undefined,
  b: Epoch | undefined,
): { label: string; short: string } {
  if (!a || !b) return { label: 'another machine or rig', short: 'another machine' };
  const was = a.text.split(', '),
    is = b.text.split(', ');
  const parts =
    was.length === is.length
      ? was.flatMap((x, i) => (x === is[i] ? [] : [turned(x, is[i]!)]))
      : [turned(a.text, b.text)];
  if (a.placement !== b.placement)
    parts.push(turned(`placement ${a.placement}`, `placement ${b.placement}`));
  const short = [parts.length > 0 && 'another machine', a.rig !== b.rig && 'another rig'].filter(
    (x) => x !== false,
  );
  if (a.rig !== b.rig) parts.push('another rig');
  return parts.length
    ? { label: parts.join(', '), short: short.join(', ') }
    : { label: 'another form of records', short: 'other records' };
}

/** "kernel 6.1.0 → 6.1.1": words that both begin with are said once. */
function turned(was: string, is: string): string {
  const a = was.split(' '),
    b = is.split(' ');
  let same = 0;
  while (same < Math.min(a.length, b.length) - 1 && a[same] === b[same]) same++;
  return `${was} → ${b.slice(same).join(' ')}`;
}
