// A thin adapter over uPlot: all of it that the site uses is here.
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { over, under } from './draw.ts';
import { range, type Drawn } from './drawn.ts';
import { stretches } from './stretches.ts';
import { ink } from './palette.ts';

export interface Handlers {
  /** A stretch of x was drawn over, to be looked at closer. */
  zoom: (from: number, to: number) => void;
  /** A point was clicked: the nearest in x, and of the lines the nearest in y. */
  pick: (index: number, line: number) => void;
  /** The pointer is over a point, or left. */
  hover: (index: number | null, line: number) => void;
}

const LABELS = 104; // pixels right of the plot for names
const LEAST_DRAG = 8; // pixels of a drag; under them it is a click with an unsteady hand

export class TrendPlot {
  private u: uPlot | undefined;
  private made = '';
  private d!: Drawn;
  private width = 0;
  private zoomed = false; // since the button went down

  constructor(
    private readonly host: HTMLElement,
    private readonly handlers: Handlers,
  ) {}

  update(d: Drawn, width: number): void {
    this.d = d;
    const made = JSON.stringify([
      d.lines.map((l) => [l.name, l.look]),
      d.dark,
      d.log,
      d.time,
      d.labels,
      d.unit,
    ]);
    if (!this.u || made !== this.made) {
      this.u?.destroy();
      this.made = made;
      this.width = width;
      this.u = new uPlot(this.options(width), this.data(), this.host);
      Object.assign(this.host, { plot: this.u }); // tests read back what is drawn
      return;
    }
    const u = this.u;
    if (width !== this.width || u.height !== d.height)
      u.setSize({ width: (this.width = width), height: d.height });
    u.batch(() => {
      d.lines.forEach((_, i) => (u.series[4 * i + 2]!.width = this.wide(i)));
      u.setData(this.data(), false);
      u.setScale('x', { min: d.window[0], max: d.window[1] });
    });
    u.redraw(true, true);
  }

  destroy(): void {
    this.u?.destroy();
    this.u = undefined;
  }

  private data(): uPlot.AlignedData {
    const none: null[] = this.d.x.map(() => null);
    return [
      this.d.x,
      ...this.d.lines.flatMap((l) => [l.m, l.line, l.band ? l.low : none, l.band ? l.high : none]),
    ];
  }

  private options(width: number): uPlot.Options {
    const d = this.d;
    const { soft, line: grid } = ink[d.dark ? 'dark' : 'light'];
    const font = '12px system-ui, sans-serif';
    const quiet = { points: { show: false } };
    const axis = {
      stroke: soft,
      font,
      grid: { stroke: grid, width: 1 },
      ticks: { stroke: grid, width: 1, size: 5 },
    };
    return {
      width,
      height: d.height,
      padding: [14, d.labels ? LABELS : 14, 0, 0],
      legend: { show: false },
      scales: {
        x: { time: false, range: () => this.d.window },
        y: { distr: d.log ? 3 : 1, range: () => range(this.d) ?? (d.log ? [1, 10] : [0, 1]) },
      },
      axes: [
        {
          ...axis,
          space: 84,
          size: 44,
          values: (_, at) => at.map((x) => this.d.xTick(x)),
          ...(d.time
            ? {}
            : { incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000] }),
          ...(d.time
            ? { incrs: [1, 2, 7, 14, 30, 90, 180, 365, 730].map((days) => days * 86400) }
            : {}),
        },
        { ...axis, size: 64, values: (_, at) => at.map((y) => this.d.yTick(y)) },
      ],
      series: [
        {},
        ...d.lines.flatMap((l, i): uPlot.Series[] => [
          { ...quiet, label: l.name, paths: () => null },
          {
            ...quiet,
            label: `${l.name}, line`,
            stroke: l.look.colour,
            width: this.wide(i),
            dash: l.look.dash,
            paths: (u, series, from, to) => this.path(u, series, from, to),
          },
          { ...quiet, label: `${l.name}, low`, paths: () => null },
          { ...quiet, label: `${l.name}, high`, paths: () => null },
        ]),
      ],
      cursor: {
        y: false,
        points: { show: false },
        drag: {
          x: true,
          y: false,
          setScale: false,
          dist: LEAST_DRAG,
          click: (_, e) => {
            if (this.zoomed) e.stopPropagation();
          },
        },
      },
      hooks: {
        drawAxes: [(u) => under(u, this.d, uPlot.pxRatio)],
        draw: [(u) => over(u, this.d, uPlot.pxRatio)],
        setSelect: [(u) => this.zoom(u)],
        setCursor: [(u) => this.hover(u)],
        ready: [(u) => this.clicks(u)],
      },
    };
  }

  /**
   * CSS pixels of a line: points denser than pixels are drawn thin, which takes a fifth of the
   * time.
   */
  private wide(line: number): number {
    const {
      x,
      window: [from, to],
      lines,
    } = this.d;
    const dense = x.filter((v) => v >= from && v <= to).length > this.width;
    return (dense ? 1 : 1.5) + (lines[line]!.strong ? 1 : 0);
  }

  private path(u: uPlot, series: number, from: number, to: number): uPlot.Series.Paths {
    const stroke = new Path2D(),
      values = u.data[series] as (number | null)[];
    for (const [first, last] of stretches(values, this.d.breaks, from, to)) {
      for (let i = first; i <= last; i++)
        stroke[i === first ? 'moveTo' : 'lineTo'](
          u.valToPos(this.d.x[i]!, 'x', true),
          u.valToPos(values[i]!, 'y', true),
        );
    }
    return { stroke, flags: 0 };
  }

  private zoom(u: uPlot): void {
    if (u.select.width < LEAST_DRAG) return;
    const from = u.posToVal(u.select.left, 'x'),
      to = u.posToVal(u.select.left + u.select.width, 'x');
    u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    this.zoomed = true;
    this.handlers.zoom(from, to);
  }

  private hover(u: uPlot): void {
    const { idx, top, left } = u.cursor;
    if (idx === null || idx === undefined || left === undefined || left < 0)
      return this.handlers.hover(null, -1);
    this.handlers.hover(idx, this.nearest(u, idx, top ?? 0));
  }

  private clicks(u: uPlot): void {
    u.over.addEventListener('mousedown', () => {
      this.zoomed = false;
    });
    u.over.addEventListener('click', (e) => {
      const index = u.posToIdx(e.offsetX);
      this.handlers.pick(index, this.nearest(u, index, e.offsetY));
    });
  }

  private nearest(u: uPlot, index: number, top: number): number {
    let best = 0,
      least = Infinity;
    this.d.lines.forEach((l, i) => {
      const v = l.m[index] ?? l.line[index] ?? null;
      const away = v === null ? Infinity : Math.abs(u.valToPos(v, 'y') - top);
      if (away < least) [best, least] = [i, away];
    });
    return best;
  }
}
