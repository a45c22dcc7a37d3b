import { useWidth } from '../chart/lines.tsx';
import type { Looks } from '../chart/mark.tsx';
import { outline } from '../chart/palette.ts';
import { axes } from './axes.ts';
import { scoreText, type ServerScores } from './table.ts';

const LINE = 17, HEAD = 26, left = 84, right = 10;

/** A block an axis, a line a server: its dot with the rounds as a line through it, 0 to 100. */
export function DotPlot({ rows, looks, label }: { rows: ServerScores[]; looks: Looks; label: string }) {
  const [ref, width] = useWidth();
  const block = HEAD + LINE * rows.length + 8;
  const height = block * axes.length + 22;
  const x = (score: number) => Math.round(10 * (left + ((width - left - right) * score) / 100)) / 10;
  return (
    <div class="lines" ref={ref}>
      {width > 0 && (
        <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
          {[0, 25, 50, 75, 100].map((s) => <><line class="grid" x1={x(s)} x2={x(s)} y1={4} y2={height - 18} /><text x={x(s)} y={height - 4} text-anchor="middle">{s}</text></>)}
          {axes.map((axis, a) => (
            <g transform={`translate(0 ${a * block})`}>
              <text class="head" x={0} y={17}>{axis.label}, {axis.scenario}</text>
              <path class="reference" d={`M${x(axis.kind === 'middle' ? 50 : 100)} ${HEAD - 4}V${block - 6}`} />
              {rows.map((r, i) => {
                const of = r.by[a]!, look = looks(r.server), y = HEAD + LINE * i + LINE / 2;
                return (
                  <g stroke={look?.colour ?? 'currentColor'} fill={look?.colour ?? 'currentColor'}>
                    <text class="name" x={0} y={y + 4} stroke="none">{r.server}</text>
                    {of.score === null ? <text x={x(0) + 4} y={y + 4} stroke="none">{r.absent[a]}</text> : (
                      <>
                        {of.low !== null && <line x1={x(of.low)} x2={x(of.high!)} y1={y} y2={y} stroke-width={2} />}
                        <path d={outline(look?.marker ?? 'circle', 4.5)} transform={`translate(${x(of.score)} ${y})`} stroke="none"><title>{`${r.server}, ${axis.label}: ${scoreText(of.score)}`}</title></path>
                      </>
                    )}
                  </g>
                );
              })}
            </g>
          ))}
        </svg>
      )}
    </div>
  );
}
