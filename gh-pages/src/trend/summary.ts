// A chart in up to three sentences, for screen readers and readers in a hurry.
import { differs } from '../data/epochs.ts';
import type { Manifest } from '../data/form.ts';
import { count, listed, many, share, three, unitOf } from '../words/numbers.ts';
import { changeOf, stateOf, directionOf, directionWords, where } from '../words/verdict.ts';
import type { Seen } from './events.ts';
import type { Model } from './model.ts';
import type { TrendState } from './state.ts';

export const SAID = 2; // events; the rest are counted
/** In a sentence of who failed; on the page it is a link. */
export const WHY = 'its page says why';

export function summary(
  m: Manifest,
  s: TrendState,
  model: Model,
  [from, to]: [number, number],
  seen: Seen[],
): string {
  const here = seen.filter((f) => f.place >= from && f.place <= to);
  const span = to === from ? 'this commit' : `these ${many(to - from + 1, 'commit')}`;
  const parts: string[] = [];
  if (here.length === 0)
    parts.push(`No event on ${model.metric.label} of ${s.scenario} in ${span}.`);
  for (const f of here.toReversed().slice(0, SAID)) {
    const state = stateOf(f.event);
    const aside = state === 'accepted' || state === 'not confirmed' ? ` (${state})` : '';
    parts.push(
      `${f.event.server} got ${directionWords[directionOf(f.cell.verdict)]}: ${changeOf(f.cell, m.metrics)} ${where(f.event)}${aside}.`,
    );
  }
  if (here.length > SAID)
    parts.push(
      `${many(here.length - SAID, 'older event')} ${here.length - SAID === 1 ? 'is' : 'are'} in view, too.`,
    );
  parts.push(...cuts(m, [from, to]), ...ends(m, s, model));
  return parts.join(' ');
}

/** The noise of one server, at the last place in view. */
export function noiseWords(model: Model, server: string, to: number): string {
  const row = model.rows.find((r) => r.server === server);
  const epoch = model.epoch[model.place.findLastIndex((p) => p <= to)];
  const found = row?.noise.find(([e]) => e === epoch);
  if (!row || !found)
    return `${server}: noise unknown, since this epoch has too few runs or too many equal ones`;
  const size = model.absolute
    ? `±${three(found[1] * model.metric.scale)} ${unitOf(model.metric)}`
    : `±${share(found[1] / 100)}`;
  return `${server}: run-to-run noise ${size} (from ${many(found[2], 'difference')} between runs)`;
}

/** The newest cut in view, and its reason. */
function cuts(m: Manifest, [from, to]: [number, number]): string[] {
  const inView = m.cuts.flatMap(([at, epoch], i) =>
    i > 0 && at > from && at <= to
      ? [{ at, ...differs(m.epochs[m.cuts[i - 1]![1]], m.epochs[epoch]) }]
      : [],
  );
  const newest = inView.at(-1);
  return newest
    ? [
        `Commits before ${count(newest.at + 1)} of ${count(m.commits.count)} cannot be compared with those after: ${newest.label}.${inView.length > 1 ? ` ${many(inView.length - 1, 'older cut')} of that kind ${inView.length === 2 ? 'is' : 'are'} in view, too.` : ''}`,
      ]
    : [];
}

/** Who is not there any more. */
function ends(m: Manifest, s: TrendState, model: Model): string[] {
  const last = m.commits.count - 1;
  const gone = m.servers.filter((x) => s.servers.includes(x.name) && x.last < last);
  const newest = model.place.indexOf(last);
  const failed = model.rows
    .filter((r) => newest >= 0 && r.raw[newest] === null && !gone.some((g) => g.name === r.server))
    .map((r) => r.server);
  const out: string[] = [];
  if (gone.length)
    out.push(
      `${listed(gone.map((g) => g.name))} ${gone.length === 1 ? 'is' : 'are'} not in the newest run: the last was ${listed(gone.map((g) => many(last - g.last, 'commit')))} earlier.`,
    );
  if (failed.length) out.push(`${listed(failed)} gave no figure in the newest run: ${WHY}.`);
  return out;
}
