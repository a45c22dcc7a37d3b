// Lines on two axes, as SVG: for what is drawn once and has a few hundred points.
// What it shows is beside it as text and a table; here is the picture only.
import type { Look } from './palette.ts';
import { useWidth } from './width.ts';

export interface Line {
  name: string;
  look: Look | undefined;
  points: (readonly [x: number, y: number | null])[];
}
export interface Axis {
  min: number;
  max: number;
  log?: boolean;
  title: string;
  ticks: (readonly [value: number, text: string])[];
}
export interface LinesProps {
  lines: Line[];
  x: Axis;
  y: Axis;
  label: string; // all of it in words
  height?: number;
  shades?: { from: number; to: number }[];
}

const margin = { left: 46, right: 10, top: 18, bottom: 32 };

export const scale = (axis: Axis, from: number, to: number) => {
  const of = (v: number) => (axis.log ? Math.log10(v) : v);
  const low = of(axis.min),
    span = of(axis.max) - low || 1;
  return (v: number) => Math.round(10 * (from + ((to - from) * (of(v) - low)) / span)) / 10;
};

/** A number at the edge stays inside. */
export const anchor = (x: number, width: number): 'middle' | 'end' =>
  x > width - 14 ? 'end' : 'middle';

export function Lines({ lines, x, y, label, height = 220, shades = [] }: LinesProps) {
  const [ref, width] = useWidth();
  const right = width - margin.right,
    bottom = height - margin.bottom;
  const atX = scale(x, margin.left, right),
    atY = scale(y, bottom, margin.top);
  return (
    <div class="lines" ref={ref}>
      {width > 0 && (
        <svg
          width={width}
          height={height}
          viewBox={`0 0 ${width} ${height}`}
          role="img"
          aria-label={label}
        >
          {shades.map((s) => (
            <rect
              class="shade"
              x={atX(Math.max(s.from, x.min))}
              width={Math.max(0.5, atX(Math.min(s.to, x.max)) - atX(Math.max(s.from, x.min)))}
              y={margin.top}
              height={bottom - margin.top}
            />
          ))}
          {y.ticks.map(([v, text]) => (
            <>
              <line class="grid" x1={margin.left} x2={right} y1={atY(v)} y2={atY(v)} />
              <text x={margin.left - 5} y={atY(v) + 4} text-anchor="end">
                {text}
              </text>
            </>
          ))}
          {x.ticks.map(([v, text]) => (
            <>
              <line class="grid" x1={atX(v)} x2={atX(v)} y1={bottom} y2={bottom + 4} />
              <text x={atX(v)} y={bottom + 15} text-anchor={anchor(atX(v), width)}>
                {text}
              </text>
            </>
          ))}
          <text x={(margin.left + right) / 2} y={height - 4} text-anchor="middle">
            {x.title}
          </text>
          <text x={2} y={10}>
            {y.title}
          </text>
          {lines.map((l) => (
            <One line={l} atX={atX} atY={atY} />
          ))}
        </svg>
      )}
    </div>
  );
}

function One({
  line,
  atX,
  atY,
}: {
  line: Line;
  atX: (v: number) => number;
  atY: (v: number) => number;
}) {
  let d = '',
    open = false;
  for (const [px, py] of line.points) {
    if (py !== null) d += `${open ? 'L' : 'M'}${atX(px)} ${atY(py)}`;
    open = py !== null; // an unknown value is a gap
  }
  return (
    <path
      class={`curve ${line.look?.hue ?? 'ink'}`}
      d={d}
      stroke-dasharray={line.look?.dash || undefined}
    />
  );
}
