// The commits in view. While they move they are places; in the address they are
// hashes, and a preset where they are one.
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { placeOf } from '../data/commits.ts';
import type { History } from './model.ts';
import { within } from './numbers.ts';
import type { Preset, TrendState } from './state.ts';

export type Window = [from: number, to: number];

/** Commits that a view has at least: fewer are a table. */
export const LEAST = 8;

const DAYS = 90;
/** What moves is in the address when it rests. */
const WRITE_AFTER_MS = 250;

/**
 * The window before it is in the address, since pointers and keys are quicker. null: the
 * address has it. asked: the window of the address, which wins when it changes.
 */
export function useAhead<T>(
  asked: string,
  write: (value: T) => void,
): [ahead: T | null, move: (value: T) => void] {
  const [ahead, set] = useState<T | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useLayoutEffect(() => {
    clearTimeout(timer.current);
    set(null);
  }, [asked]);
  const move = (value: T) => {
    set(value);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => write(value), WRITE_AFTER_MS);
  };
  return [ahead, move];
}

export interface View {
  window: Window;
  strange: string; // an unknown commit of the address
  move: (next: Window) => void;
}

export function useView(
  h: History,
  s: TrendState,
  set: (change: Partial<TrendState>, how?: 'push' | 'replace') => void,
): View {
  const asked = `${s.last} ${s.from} ${s.to}`;
  const found = useMemo(() => resolve(h, s), [h, asked]);
  const [ahead, move] = useAhead<Window>(asked, (to) => set(addressOf(h, to), 'replace'));
  const [from, to] = ahead ?? found.window;
  return {
    window: useMemo((): Window => [from, to], [from, to]),
    strange: found.strange,
    move: (next) => move(within(next[0], next[1], h.m.commits.count, LEAST)),
  };
}

function resolve(h: History, s: TrendState): { window: Window; strange: string } {
  const preset = ofPreset(h, s.last);
  if (s.from === '' && s.to === '') return { window: preset, strange: '' };
  const unknown: string[] = [];
  const place = (sha: string, otherwise: number) => {
    if (sha === '') return otherwise;
    const found = placeOf(h.commits, sha);
    if (found >= 0) return found;
    unknown.push(sha);
    return null;
  };
  const { count } = h.m.commits;
  const from = place(s.from, 0),
    to = place(s.to, count - 1);
  const strange = unknown.length ? `${unknown.join(' and ')}: no such commit was measured. ` : '';
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

export function ofPreset({ m, commits }: History, preset: Preset): Window {
  const { count } = m.commits;
  if (preset === 'all') return [0, count - 1];
  if (preset !== '90d') return within(count - Number(preset), count - 1, count, LEAST);
  const begin = Date.parse(m.newest ?? '') / 1000 - DAYS * 86400;
  const before = commits.time.findLastIndex((t) => t !== null && t < begin);
  return before < 0 ? [0, count - 1] : within(before + 1, count - 1, count, LEAST);
}

function addressOf(
  { m, commits }: History,
  [from, to]: Window,
): Pick<TrendState, 'last' | 'from' | 'to'> {
  const last = m.commits.count - 1;
  if (to === last) {
    const none = { from: '', to: '' };
    if (from === 0) return { last: 'all', ...none };
    const same = (['50', '200', '1000'] as const).find((p) => last + 1 - Number(p) === from);
    if (same) return { last: same, ...none };
  }
  const sha = (place: number) => commits.sha[place] ?? '';
  return { last: '200', from: sha(from), to: to === last ? '' : sha(to) };
}
