import type { K6Run, Timeline } from '../data/types.ts';
import { at, slices } from '../data/details.ts';
import { three } from '../words/numbers.ts';

/** Who was loaded at a second: "stress-100, the slice of go-http". */
export function stateAt(k6Run: K6Run, second: number): string {
  // A sample is taken at the end of its second.
  const of = slices(k6Run).filter((t) => t.begin_s < second && t.end_s > second - 1);
  if (of.length === 0) return 'no target was loaded';
  const levels = [...new Set(of.map((t) => t.level))];
  const targets = [...new Set(of.flatMap((t) => t.rates.map((r) => r.target)))];
  // side by side
  const all = of.some((t) => t.rates.length > 1 && t.rates.length === k6Run.targets.length);
  return `${levels.join(', then ')}, ${all ? 'all targets' : `the ${targets.length === 1 ? 'slice' : 'slices'} of ${targets.join(', ')}`}`;
}

/** A second to look at, chosen by a slider, and what every process did in it: the charts' table. */
export function Seconds({
  k6Run,
  cursor,
  end,
  onCursor,
  all,
}: {
  k6Run: K6Run;
  cursor: number;
  end: number;
  onCursor: (s: number) => void;
  all: Timeline[];
}) {
  const said = (v: number | null, by: number, unit: string) =>
    v === null ? 'no sample' : `${three(v * by)} ${unit}`;
  return (
    <div class="seconds">
      <label class="controls">
        Second{' '}
        <input
          type="range"
          min={1}
          max={end}
          step={1}
          value={cursor}
          aria-valuetext={`second ${cursor} of ${end}: ${stateAt(k6Run, cursor)}`}
          onInput={(e) => onCursor(Number(e.currentTarget.value))}
        />
      </label>
      <output>
        {cursor} of {end}: {stateAt(k6Run, cursor)}
      </output>
      <details>
        <summary>All processes in this second</summary>
        <div class="scroll" role="region" aria-label="All processes in this second" tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">process</th>
                <th scope="col">CPU, % of one core</th>
                <th scope="col">memory</th>
              </tr>
            </thead>
            <tbody>
              {all.map((t) => (
                <tr>
                  <th scope="row">{t.process}</th>
                  <td>{said(at(t, t.cpu_pct, cursor), 1, '%')}</td>
                  <td>{said(at(t, t.rss_kib, cursor), 1024 / 1e6, 'MB')}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </div>
  );
}
