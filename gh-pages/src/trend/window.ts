// The commits in view. While they move they are places; in the address they are
// hashes, and a preset where they are one.
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { within } from './numbers.ts';
import type { Preset, TrendState } from './state.ts';
import { commitAt, type Store } from './store.ts';

export type Window = [from: number, to: number];

/** Commits that a view has at least: fewer are a table. */
export const LEAST = 8;

export interface View {
  window: Window | null; // null: not yet known
  strange: string; // a commit of the address that nobody knows
  move: (next: Window) => void;
}

const DAYS = 90;
/** What moves is in the address when it rests. */
export const WRITE_AFTER_MS = 250;

export function useView(
  store: Store,
  s: TrendState,
  set: (change: Partial<TrendState>, how?: 'push' | 'replace') => void,
): View {
  const count = store.site.manifest.commits.count;
  const [window, setWindow] = useState<Window | null>(() =>
    s.from === '' && s.to === '' ? known(count, s.last) : null,
  );
  const [strange, setStrange] = useState('');
  const written = useRef('');
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const moves = useRef(0); // one that is overtaken is not written
  const asked = `${s.last} ${s.from} ${s.to}`;

  useLayoutEffect(() => {
    // before the timer of a move that this overtakes
    if (asked === written.current) return; // it is from here
    clearTimeout(timer.current);
    moves.current++;
    let current = true;
    void resolve(store, s).then((found) => {
      if (!current) return;
      written.current = asked;
      setStrange(found.strange);
      setWindow((now) =>
        now && now[0] === found.window[0] && now[1] === found.window[1] ? now : found.window,
      );
    });
    return () => {
      current = false;
    };
  }, [asked, store]);

  const move = useCallback(
    (next: Window) => {
      const to = within(next[0], next[1], count, LEAST);
      setWindow(to);
      clearTimeout(timer.current);
      const mine = ++moves.current;
      timer.current = setTimeout(() => {
        void addressOf(store, to).then((change) => {
          if (!change || mine !== moves.current) return;
          written.current = `${change.last} ${change.from} ${change.to}`;
          set(change, 'replace');
        });
      }, WRITE_AFTER_MS);
    },
    [store, count, set],
  );

  return { window, strange, move };
}

async function resolve(store: Store, s: TrendState): Promise<{ window: Window; strange: string }> {
  const preset = await ofPreset(store, s.last);
  if (s.from === '' && s.to === '') return { window: preset, strange: '' };
  const unknown: string[] = [];
  const place = async (sha: string, otherwise: number) => {
    if (sha === '') return otherwise;
    const found = await store.place(sha);
    if (found === null || found < 0) {
      unknown.push(sha);
      return null;
    }
    return found;
  };
  const count = store.site.manifest.commits.count;
  const from = await place(s.from, 0),
    to = await place(s.to, count - 1);
  const strange = unknown.length
    ? `${unknown.join(' and ')}: no such commit was measured, or its file cannot be read. `
    : '';
  if (from === null && to === null)
    return { window: preset, strange: `${strange}The newest are shown.` };
  // The end that is known stays in view, with as many commits as the preset has.
  const span = preset[1] - preset[0];
  const [a, b] =
    from === null
      ? [to! - span, to!]
      : to === null
        ? [from, from + span]
        : [Math.min(from, to), Math.max(from, to)];
  return {
    window: within(a, b, count, LEAST),
    strange: strange && `${strange}What is near the other end is shown.`,
  };
}

/** What no file of commits is needed for. */
const known = (count: number, preset: Preset): Window | null =>
  preset === '90d'
    ? null
    : within(preset === 'all' ? 0 : count - Number(preset), count - 1, count, LEAST);

export async function ofPreset(store: Store, preset: Preset): Promise<Window> {
  const { count, block } = store.site.manifest.commits;
  const at = known(count, preset);
  if (at) return at;
  const newest = Date.parse(store.site.manifest.newest ?? '') / 1000;
  for (let b = Math.ceil(count / block) - 1; b >= 0; b--) {
    const answer = await store.awaitCommits(b);
    if (!answer.ok) return within((b + 1) * block, count - 1, count, LEAST);
    const before = answer.value.time.findLastIndex((t) => t !== null && t < newest - DAYS * 86400);
    if (before >= 0) return within(answer.value.first + before + 1, count - 1, count, LEAST);
  }
  return [0, count - 1];
}

/** null: a hash of the ends is not known. */
async function addressOf(
  store: Store,
  [from, to]: Window,
): Promise<Pick<TrendState, 'last' | 'from' | 'to'> | null> {
  const { count, block } = store.site.manifest.commits;
  const none = { from: '', to: '' };
  if (to === count - 1) {
    if (from === 0) return { last: 'all', ...none };
    const same = (['50', '200', '1000'] as const).find((p) => count - Number(p) === from);
    if (same) return { last: same, ...none };
  }
  await Promise.all([from, to].map((p) => store.awaitCommits(Math.floor(p / block))));
  const first = commitAt(store, from),
    last = commitAt(store, to);
  return first && last
    ? { last: '200', from: first.sha, to: to === count - 1 ? '' : last.sha }
    : null;
}

/** The place of a commit of the address; undefined: on its way; -1: there is none. */
export function usePlace(store: Store, sha: string): number | null | undefined {
  const [found, set] = useState<{ sha: string; place: number | null }>();
  useEffect(() => {
    if (sha === '') return;
    let current = true;
    void store.place(sha).then((place) => {
      if (current) set({ sha, place });
    });
    return () => {
      current = false;
    };
  }, [store, sha]);
  if (sha === '') return null;
  return found?.sha === sha ? (found.place ?? -1) : undefined;
}
