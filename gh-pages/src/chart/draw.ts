// What uPlot does not draw itself, on its canvas: points by their markers, bands,
// whiskers, events, names at the ends of lines.
import type uPlot from 'uplot';
import { cutLines, cutWords, type Box } from './cuts.ts';
import { far, type Drawn, type Line } from './drawn.ts';
import { ink, paper, type Marker } from './palette.ts';
import { stretches } from './stretches.ts';
import { signs } from '../words/verdict.ts';

const MARKER = 3; // radius, CSS pixels
const DENSE = 3; // CSS pixels between points under which they are left to the line
const ROOM = 4; // CSS pixels between points that whiskers need
const MARKS_WITH_WORDS = 8;
const NEAR = 24; // CSS pixels from the end of a line to its name

interface Paper {
  u: uPlot;
  d: Drawn;
  c: CanvasRenderingContext2D;
  px: number;
  x: (v: number) => number;
  y: (v: number) => number;
}

const on = (u: uPlot, d: Drawn, px: number): Paper => ({
  u,
  d,
  c: u.ctx,
  px,
  x: (v) => u.valToPos(v, 'x', true),
  y: (v) => u.valToPos(v, 'y', true),
});
const inks = (d: Drawn) => ink[d.dark ? 'dark' : 'light'];

/** Under the lines: the commits of events, and bands. */
export function under(u: uPlot, d: Drawn, px: number): void {
  const p = on(u, d, px),
    { c, x } = p;
  const { top, height } = u.bbox;
  inside(u, () => {
    for (const mark of d.marks) {
      if (mark.direction === 'unclear') continue;
      c.globalAlpha = mark.strong ? 0.22 : 0.12;
      c.fillStyle = inks(d)[mark.direction];
      c.fillRect(x(mark.from), top, Math.max(2 * px, x(mark.x) - x(mark.from)), height);
    }
    c.globalAlpha = 0.2;
    for (const l of d.lines) if (l.band) band(p, l);
  });
}

/** Points that are in view, and one more on either side. */
const seenOf = (u: uPlot, d: Drawn): [number, number] => [
  Math.max(0, u.valToIdx(d.window[0]) - 1),
  Math.min(d.x.length - 1, u.valToIdx(d.window[1]) + 1),
];

function band({ u, d, c, x, y }: Paper, l: Line): void {
  const area = new Path2D();
  for (const [first, last] of stretches(l.low, d.breaks, ...seenOf(u, d))) {
    area.moveTo(x(d.x[first]!), y(l.low[first]!));
    for (let i = first + 1; i <= last; i++) area.lineTo(x(d.x[i]!), y(l.low[i]!));
    for (let i = last; i >= first; i--) area.lineTo(x(d.x[i]!), y(l.high[i]!));
    area.closePath();
  }
  c.fillStyle = l.look.colour;
  c.fill(area);
}

/** Over the lines. */
export function over(u: uPlot, d: Drawn, px: number): void {
  const p = on(u, d, px);
  u.ctx.save();
  u.ctx.setLineDash([]); // the last line's is still set
  inside(u, () => {
    cutLines(u, d, px);
    d.lines.forEach((l) => points(p, l));
  });
  selected(p);
  cutWords(u, d, px, marks(p));
  unit(p);
  if (d.labels) names(p);
  u.ctx.restore();
}

function unit({ d, c, px }: Paper): void {
  c.fillStyle = inks(d).soft;
  c.font = `${12 * px}px system-ui, sans-serif`;
  c.textAlign = 'left';
  c.textBaseline = 'top';
  c.fillText(d.unit, 2 * px, 0);
}

/** Clips to the plot, and leaves the canvas as it was. */
function inside(u: uPlot, draw: () => void): void {
  const { left, top, width, height } = u.bbox;
  u.ctx.save();
  u.ctx.beginPath();
  u.ctx.rect(left, top, width, height);
  u.ctx.clip();
  draw();
  u.ctx.restore();
}

function points({ u, d, c, px, x, y }: Paper, l: Line): void {
  const [from, to] = seenOf(u, d);
  const joined = (i: number) =>
    (l.line[i - 1] ?? null) !== null && (l.line[i] ?? null) !== null && !d.breaks.has(i);
  const apart = u.bbox.width / px / Math.max(1, to - from);
  const { top, height } = u.bbox;
  const solid = new Path2D(),
    hollow = new Path2D(),
    whiskers = new Path2D(),
    edge = new Path2D();
  for (let i = from; i <= to; i++) {
    const m = l.m[i] ?? null;
    if (m === null) continue;
    const at = x(d.x[i]!),
      up = y(m);
    if (far(l, i) && (up < top || up > top + height)) {
      const end = up < top ? top : top + height,
        way = up < top ? 1 : -1;
      edge.moveTo(at, end);
      edge.lineTo(at + 5 * px, end + way * 8 * px);
      edge.lineTo(at - 5 * px, end + way * 8 * px);
      edge.closePath();
    }
    if (l.warned[i]) trace(hollow, l.look.marker, at, up, (MARKER + 1) * px);
    else if (!(joined(i) || joined(i + 1)) || apart >= DENSE)
      trace(solid, l.look.marker, at, up, (l.strong ? MARKER + 0.5 : MARKER) * px);
    const least = l.least[i] ?? null,
      most = l.most[i] ?? null;
    if (l.whiskers && apart >= ROOM && least !== null && most !== null) {
      whiskers.moveTo(at, y(least));
      whiskers.lineTo(at, y(most));
    }
  }
  c.fillStyle = c.strokeStyle = l.look.colour;
  c.globalAlpha = l.strong ? 0.75 : 0.4;
  c.lineWidth = px;
  c.stroke(whiskers);
  c.fill(solid);
  c.globalAlpha = 1;
  c.fill(edge);
  c.fillStyle = paper[d.dark ? 'dark' : 'light'];
  c.fill(hollow);
  c.lineWidth = 1.5 * px;
  c.stroke(hollow);
}

function trace(p: Path2D, marker: Marker, x: number, y: number, r: number): void {
  const a = 0.886 * r; // as palette.outline
  switch (marker) {
    case 'circle':
      p.moveTo(x + r, y);
      p.arc(x, y, r, 0, 2 * Math.PI);
      break;
    case 'square':
      p.rect(x - a, y - a, 2 * a, 2 * a);
      break;
    case 'triangle':
      p.moveTo(x, y - 1.25 * r);
      p.lineTo(x + 1.1 * r, y + 0.75 * r);
      p.lineTo(x - 1.1 * r, y + 0.75 * r);
      p.closePath();
      break;
    case 'diamond':
      p.moveTo(x, y - 1.3 * r);
      p.lineTo(x + 1.3 * r, y);
      p.lineTo(x, y + 1.3 * r);
      p.lineTo(x - 1.3 * r, y);
      p.closePath();
      break;
  }
}

function selected({ u, d, c, px, x, y }: Paper): void {
  if (!d.selected) return;
  const { index, line } = d.selected;
  const at = x(d.x[index]!),
    l = d.lines[line];
  const v = l?.m[index] ?? null;
  c.strokeStyle = inks(d).text;
  c.lineWidth = px;
  c.beginPath();
  c.moveTo(at, u.bbox.top);
  c.lineTo(at, u.bbox.top + u.bbox.height);
  c.stroke();
  if (v === null) return;
  c.lineWidth = 2 * px;
  c.beginPath();
  c.arc(at, y(v), 7 * px, 0, 2 * Math.PI);
  c.stroke();
}

/**
 * A sign on the line where an event is; hollow where somebody accepted it, or nothing confirmed it.
 * Where their words and signs are.
 */
function marks({ u, d, c, px, x, y }: Paper): Box[] {
  const { left, top, width, height } = u.bbox;
  const seen = d.marks.filter((m) => m.x >= d.window[0] && m.x <= d.window[1]);
  const words = seen.length <= MARKS_WITH_WORDS;
  c.save();
  c.textAlign = 'center';
  c.lineJoin = 'round';
  const taken: Box[] = [],
    placed: Box[] = [];
  for (const mark of seen) {
    const at = d.x.findIndex((v) => v >= mark.x);
    const l = d.lines[mark.line];
    const v = l?.m[at] ?? l?.line[at] ?? null;
    const px0 = x(mark.x);
    const above =
      v === null
        ? top + 24 * px
        : Math.min(top + height - 4 * px, Math.max(top + 26 * px, y(v) - 7 * px));
    c.font = `${(mark.strong ? 18 : 15) * px}px system-ui, sans-serif`;
    c.textBaseline = 'bottom';
    c.strokeStyle = paper[d.dark ? 'dark' : 'light'];
    c.fillStyle = inks(d)[mark.direction === 'unclear' ? 'soft' : mark.direction];
    c.lineWidth = 4 * px;
    const sign = mark.hollow
      ? { worse: '▽', better: '△', unclear: '○' }[mark.direction]
      : signs[mark.direction];
    c.strokeText(sign, px0, above);
    c.fillText(sign, px0, above);
    placed.push({ left: px0 - 9 * px, right: px0 + 9 * px, top: above - 18 * px, bottom: above });
    if (!words && !mark.strong) continue;
    c.font = `600 ${11 * px}px system-ui, sans-serif`;
    const half = c.measureText(mark.label).width / 2;
    const where = Math.min(left + width - half, Math.max(left + half, px0));
    let up = above - 15 * px;
    const clash = () =>
      taken.some(
        (t) => t.left < where + half && t.right > where - half && Math.abs(t.bottom - up) < 12 * px,
      );
    while (clash() && up > top + 12 * px) up -= 12 * px;
    taken.push({ left: where - half, right: where + half, top: up - 12 * px, bottom: up });
    c.strokeText(mark.label, where, up);
    c.fillText(mark.label, where, up);
  }
  c.restore();
  return [...taken, ...placed];
}

/** Each line's name beside its end, moved apart where they would lie on each other. */
function names({ u, d, c, px, x, y }: Paper): void {
  const { left, top, width, height } = u.bbox;
  const step = 13 * px;
  const ends = d.lines
    .flatMap((l) => {
      const value = (i: number) => l.line[i] ?? l.m[i] ?? null;
      const at = d.x.findLastIndex(
        (v, i) => value(i) !== null && v >= d.window[0] && v <= d.window[1],
      );
      return at < 0
        ? []
        : [{ l, from: Math.min(height + top, Math.max(top, y(value(at)!))), x: x(d.x[at]!), y: 0 }];
    })
    .sort((a, b) => a.from - b.from);
  ends.forEach((e, i) => (e.y = Math.max(e.from, i ? ends[i - 1]!.y + step : top + step / 2)));
  for (let i = ends.length - 1, floor = top + height; i >= 0; i--, floor -= step)
    ends[i]!.y = Math.min(ends[i]!.y, floor);
  c.save();
  c.textBaseline = 'middle';
  c.textAlign = 'left';
  for (const e of ends) {
    c.font = `${e.l.strong ? 700 : 400} ${12 * px}px system-ui, sans-serif`;
    if (left + width - e.x < NEAR * px) {
      // one that ended before has a name, and no line to it
      c.strokeStyle = e.l.look.colour;
      c.lineWidth = px;
      c.globalAlpha = 0.6;
      c.beginPath();
      c.moveTo(Math.min(e.x + 3 * px, left + width), e.from);
      c.lineTo(left + width + 8 * px, e.y);
      c.stroke();
      c.globalAlpha = 1;
    }
    const marker = new Path2D();
    trace(marker, e.l.look.marker, left + width + 13 * px, e.y, 4 * px);
    c.fillStyle = e.l.look.colour;
    c.fill(marker);
    c.fillStyle = inks(d).text;
    c.fillText(e.l.name, left + width + 21 * px, e.y);
  }
  c.restore();
}
