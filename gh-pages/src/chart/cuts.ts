// A cut between two epochs: a dashed line, and what is another, where there is room for it.
import type uPlot from 'uplot';
import type { Cut, Drawn } from './drawn.ts';
import { ink, paper } from './palette.ts';
import type { Values } from './stretches.ts';

export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

const ROWS = 5; // words may move down from the top, or up, to stay apart
const TALL = 13; // CSS pixels of a row
const GAP = 4; // CSS pixels from the line to its words

export const inView = (d: Drawn): Cut[] =>
  d.cuts.filter((c) => c.at > d.window[0] && c.at < d.window[1]);

export function cutLines(u: uPlot, d: Drawn, px: number): void {
  const c = u.ctx;
  c.strokeStyle = ink[d.dark ? 'dark' : 'light'].soft;
  c.lineWidth = px;
  c.setLineDash([4 * px, 4 * px]);
  for (const cut of inView(d)) {
    const x = u.valToPos(cut.at, 'x', true);
    c.beginPath();
    c.moveTo(x, u.bbox.top);
    c.lineTo(x, u.bbox.top + u.bbox.height);
    c.stroke();
  }
  c.setLineDash([]);
}

/** taken: where words stand already. */
export function cutWords(u: uPlot, d: Drawn, px: number, taken: Box[]): void {
  const c = u.ctx;
  c.save();
  c.font = `${11 * px}px system-ui, sans-serif`;
  c.textAlign = 'left';
  c.textBaseline = 'top';
  c.lineJoin = 'round';
  c.lineWidth = 4 * px;
  c.strokeStyle = paper[d.dark ? 'dark' : 'light'];
  c.fillStyle = ink[d.dark ? 'dark' : 'light'].soft;
  const { left, top, width, height } = u.bbox;
  const plot = { left, right: left + width, top: top + 2 * px, bottom: top + height };
  for (const cut of inView(d)) {
    const words = [cut.label, cut.short];
    const found = room(
      u.valToPos(cut.at, 'x', true),
      words.map((text) => c.measureText(text).width),
      plot,
      px,
      taken,
      (box) => !onLine(u, d, box),
    );
    if (!found) continue;
    taken.push(found.box);
    c.strokeText(words[found.which]!, found.box.left, found.box.top);
    c.fillText(words[found.which]!, found.box.left, found.box.top);
  }
  c.restore();
}

/** Some line, its band or its points go through a box. */
function onLine(u: uPlot, d: Drawn, box: Box): boolean {
  const from = u.valToIdx(u.posToVal(box.left, 'x', true)),
    to = u.valToIdx(u.posToVal(box.right, 'x', true));
  const high = u.posToVal(box.top, 'y', true),
    low = u.posToVal(box.bottom, 'y', true);
  return d.lines.some((l) => {
    const known = (values: Values, i: number) => values[i] ?? l.line[i] ?? l.m[i] ?? NaN;
    for (let i = from; i <= to; i++) {
      const bottom = Math.min(l.m[i] ?? Infinity, known(l.band ? l.low : l.line, i)),
        top = Math.max(l.m[i] ?? -Infinity, known(l.band ? l.high : l.line, i));
      if (bottom < high && top > low) return true;
    }
    return false;
  });
}

/**
 * Where the first of some words fits: right of the line, left of it or over it, at the top or the
 * bottom. It moves further in next to other words, and prefers a free place. null: nowhere.
 */
export function room(
  at: number,
  widths: number[],
  { left, right, top, bottom }: Box,
  px: number,
  taken: readonly Box[],
  free: (box: Box) => boolean,
): { which: number; box: Box } | null {
  const fits: { which: number; box: Box }[] = [];
  for (const [which, wide] of widths.entries()) {
    for (let row = 0; row < ROWS; row++) {
      for (const y of [top + row * TALL * px, bottom - (row + 1) * TALL * px]) {
        for (const from of [
          at + GAP * px,
          at - GAP * px - wide,
          Math.min(Math.max(left, at - wide / 2), right - wide),
        ]) {
          const box = { left: from, right: from + wide, top: y, bottom: y + TALL * px };
          if (
            box.left >= left &&
            box.right <= right &&
            !taken.some(
              (t) =>
                t.left < box.right &&
                t.right > box.left &&
                t.top < box.bottom &&
                t.bottom > box.top,
            )
          )
            fits.push({ which, box });
        }
      }
    }
  }
  return fits.find(({ box }) => free(box)) ?? fits[0] ?? null;
}
