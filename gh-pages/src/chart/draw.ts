// What uPlot does not draw itself, on its canvas: points by their markers, whiskers,
// flags, cuts between epochs, names at the ends of lines.
import type uPlot from 'uplot';
import { far, type Drawn, type Line } from './drawn.ts';
import { ink, paper, type Marker } from './palette.ts';
import { signs } from '../words/verdict.ts';

const MARKER = 3; // radius, CSS pixels
const DENSE = 3; // CSS pixels between points under which they are left to the line
const ROOM = 4; // CSS pixels between points that whiskers need
const MARKS_WITH_WORDS = 8;
const NEAR = 24; // CSS pixels from the end of a line to its name

interface Paper { u: uPlot; d: Drawn; c: CanvasRenderingContext2D; px: number; x: (v: number) => number; y: (v: number) => number }

const on = (u: uPlot, d: Drawn, px: number): Paper => ({ u, d, c: u.ctx, px, x: (v) => u.valToPos(v, 'x', true), y: (v) => u.valToPos(v, 'y', true) });
const inks = (d: Drawn) => ink[d.dark ? 'dark' : 'light'];

/** Under the lines: what could not be read, and the commits that a flag suspects. */
export function under(u: uPlot, d: Drawn, px: number): void {
  const { c, x } = on(u, d, px);
  const { top, height } = u.bbox;
  inside(u, () => {
    c.fillStyle = inks(d).line;
    for (const [from, to] of d.holes) {
      c.globalAlpha = 0.35;
      c.fillRect(x(from), top, x(to) - x(from), height);
    }
    for (const mark of d.marks) {
      if (mark.turn === 'unclear') continue;
      c.globalAlpha = mark.strong ? 0.22 : 0.12;
      c.fillStyle = inks(d)[mark.turn];
      c.fillRect(x(mark.from), top, Math.max(2 * px, x(mark.x) - x(mark.from)), height);
    }
  });
}

/** Over the lines. */
export function over(u: uPlot, d: Drawn, px: number): void {
  const p = on(u, d, px);
  inside(u, () => {
    cuts(p);
    d.lines.forEach((l) => points(p, l));
  });
  selected(p);
  marks(p);
  if (d.labels) names(p);
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

function cuts({ u, d, c, px, x }: Paper): void {
  const { top, height } = u.bbox;
  c.strokeStyle = c.fillStyle = inks(d).soft;
  c.lineWidth = px;
  c.font = `${11 * px}px system-ui, sans-serif`;
  c.textAlign = 'left';
  c.textBaseline = 'top';
  for (const cut of d.cuts) {
    const at = (x(d.x[cut.index - 1]!) + x(d.x[cut.index]!)) / 2;
    c.setLineDash([4 * px, 4 * px]);
    c.beginPath();
    c.moveTo(at, top);
    c.lineTo(at, top + height);
    c.stroke();
    c.fillText(cut.label, at + 4 * px, top + 2 * px);
  }
  c.setLineDash([]);
}

function points({ u, d, c, px, x, y }: Paper, l: Line): void {
  const from = Math.max(0, u.valToIdx(d.window[0]) - 1), to = Math.min(d.x.length - 1, u.valToIdx(d.window[1]) + 1);
  const apart = u.bbox.width / px / Math.max(1, to - from);
  const { top, height } = u.bbox;
  const solid = new Path2D(), hollow = new Path2D(), whiskers = new Path2D(), edge = new Path2D();
  for (let i = from; i <= to; i++) {
    const m = l.m[i] ?? null;
    if (m === null) continue;
    const at = x(d.x[i]!), line = l.line[i] ?? null;
    const alone = (l.m[i - 1] ?? null) === null && (l.m[i + 1] ?? null) === null;
    if (line !== null && far(m, line)) {
      const end = m > line ? top : top + height, way = m > line ? 1 : -1;
      edge.moveTo(at, end);
      edge.lineTo(at + 5 * px, end + way * 8 * px);
      edge.lineTo(at - 5 * px, end + way * 8 * px);
      edge.closePath();
    }
    if (l.doubtful[i]) trace(hollow, l.look.marker, at, y(m), (MARKER + 1) * px);
    else if (alone || (d.points && apart >= DENSE)) trace(solid, l.look.marker, at, y(m), (l.strong ? MARKER + 0.5 : MARKER) * px);
    const least = l.least[i] ?? null, most = l.most[i] ?? null;
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
    case 'circle': p.moveTo(x + r, y); p.arc(x, y, r, 0, 2 * Math.PI); break;
    case 'square': p.rect(x - a, y - a, 2 * a, 2 * a); break;
    case 'triangle': p.moveTo(x, y - 1.25 * r); p.lineTo(x + 1.1 * r, y + 0.75 * r); p.lineTo(x - 1.1 * r, y + 0.75 * r); p.closePath(); break;
    case 'diamond': p.moveTo(x, y - 1.3 * r); p.lineTo(x + 1.3 * r, y); p.lineTo(x, y + 1.3 * r); p.lineTo(x - 1.3 * r, y); p.closePath(); break;
  }
}

function selected({ u, d, c, px, x, y }: Paper): void {
  if (!d.selected) return;
  const { index, line } = d.selected;
  const at = x(d.x[index]!), l = d.lines[line];
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

/** A sign on the line where a flag is; hollow where somebody accepted it, or nothing confirmed it. */
function marks({ u, d, c, px, x, y }: Paper): void {
  const { left, top, width, height } = u.bbox;
  const seen = d.marks.filter((m) => m.x >= d.window[0] && m.x <= d.window[1]);
  const words = seen.length <= MARKS_WITH_WORDS;
  c.save();
  c.textAlign = 'center';
  c.lineJoin = 'round';
  const taken: { from: number; to: number; y: number }[] = [];
  for (const mark of seen) {
    const at = d.x.findIndex((v) => v >= mark.x);
    const l = d.lines[mark.line];
    const v = l?.m[at] ?? l?.line[at] ?? null;
    const px0 = x(mark.x);
    const above = v === null ? top + 24 * px : Math.min(top + height - 4 * px, Math.max(top + 26 * px, y(v) - 7 * px));
    c.font = `${(mark.strong ? 18 : 15) * px}px system-ui, sans-serif`;
    c.textBaseline = 'bottom';
    c.strokeStyle = paper[d.dark ? 'dark' : 'light'];
    c.fillStyle = inks(d)[mark.turn === 'unclear' ? 'soft' : mark.turn];
    c.lineWidth = 4 * px;
    const sign = mark.hollow ? { worse: '▽', better: '△', unclear: '○' }[mark.turn] : signs[mark.turn];
    c.strokeText(sign, px0, above);
    c.fillText(sign, px0, above);
    if (!words && !mark.strong) continue;
    c.font = `600 ${11 * px}px system-ui, sans-serif`;
    const half = c.measureText(mark.label).width / 2;
    const where = Math.min(left + width - half, Math.max(left + half, px0));
    let up = above - 15 * px;
    const clash = () => taken.some((t) => t.from < where + half && t.to > where - half && Math.abs(t.y - up) < 12 * px);
    while (clash() && up > top + 12 * px) up -= 12 * px;
    taken.push({ from: where - half, to: where + half, y: up });
    c.strokeText(mark.label, where, up);
    c.fillText(mark.label, where, up);
  }
  c.restore();
}

/** Each line's name beside its end, moved apart where they would lie on each other. */
function names({ u, d, c, px, x, y }: Paper): void {
  const { left, top, width, height } = u.bbox;
  const step = 13 * px;
  const ends = d.lines.flatMap((l) => {
    const at = l.line.findLastIndex((v, i) => v !== null && d.x[i]! >= d.window[0] && d.x[i]! <= d.window[1]);
    return at < 0 ? [] : [{ l, from: Math.min(height + top, Math.max(top, y(l.line[at]!))), x: x(d.x[at]!), y: 0 }];
  }).sort((a, b) => a.from - b.from);
  ends.forEach((e, i) => (e.y = Math.max(e.from, i ? ends[i - 1]!.y + step : top + step / 2)));
  for (let i = ends.length - 1, floor = top + height; i >= 0; i--, floor -= step) ends[i]!.y = Math.min(ends[i]!.y, floor);
  c.save();
  c.textBaseline = 'middle';
  c.textAlign = 'left';
  for (const e of ends) {
    c.font = `${e.l.strong ? 700 : 400} ${12 * px}px system-ui, sans-serif`;
    if (left + width - e.x < NEAR * px) { // one that ended before has a name, and no line to it
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
