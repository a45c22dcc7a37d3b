import { Lines, type Line } from '../chart/lines.tsx';
import { Mark, type Looks } from '../chart/mark.tsx';
import { logarithmic } from '../chart/ticks.ts';
import { Table, type Col } from '../chart/table.tsx';
import { Choice } from '../chart/tabs.tsx';
import type { Details, Distribution } from '../data/types.ts';
import { count, curve, maxUs, meanUs, quantileUs, type Curve } from '../data/curve.ts';
import { count as grouped, many, three } from '../words/numbers.ts';

/** Of streams, then of requests. */
export const measures = ['stream', 'ttft', 'itl', 'token_delay', 'request', 'ttfb'] as const;
export type Measure = (typeof measures)[number];
export const measureWords: Record<Measure, string> = {
  stream: 'time of a stream',
  ttft: 'time to first token',
  itl: 'time between tokens (ITL)',
  token_delay: 'token delay',
  request: 'time of a request',
  ttfb: 'time to first byte',
};

// Where the axis of 1/(1-q) has ticks: it makes as much room for 99.9 as for 90.
const percentiles: [number, string][] = [
  [1.25, '20'],
  [2, '50'],
  [10, '90'],
  [100, '99'],
  [1e3, '99.9'],
  [1e4, '99.99'],
  [1e5, '99.999'],
  [1e6, '99.9999'],
];

export interface Row {
  target: string;
  of: Curve;
}

/** The measures that the details have. */
export const measuresOf = (details: Details): Measure[] =>
  measures.filter((m) => details.distributions.some((d) => m in d.curves));

/** Targets with values, by name; last what servers are held against, which has no look. */
export function rowsOf(details: Details, scenario: string, measure: Measure, looks: Looks): Row[] {
  return details.distributions
    .filter((d) => d.scenario === scenario && d.curves[measure])
    .map((d: Distribution): Row => ({ target: d.target, of: d.curves[measure]! }))
    .sort(
      (a, b) =>
        Number(!looks(a.target)) - Number(!looks(b.target)) || (a.target < b.target ? -1 : 1),
    );
}

// One of this many took longer.
const shares: [head: string, x: number][] = [
  ['p50', 2],
  ['p90', 10],
  ['p95', 20],
  ['p99', 100],
  ['p99.9', 1000],
];
const ms = (us: number | null) => (us === null ? 'too few' : three(us / 1000));

function columns(looks: Looks): Col<Row>[] {
  const figure = (head: string, of: (c: Curve) => number | null): Col<Row> => ({
    head: `${head} ms`,
    cell: (r) => ms(of(r.of)),
  });
  return [
    {
      head: 'target',
      header: true,
      cell: (r) => (
        <>
          <Mark of={looks(r.target)} /> {r.target}
        </>
      ),
    },
    figure('mean', meanUs),
    ...shares.map(([head, x]) => figure(head, (c) => quantileUs(c, x))),
    figure('max', maxUs),
    {
      head: 'counted',
      cell: (r) => grouped(count(r.of)),
    },
  ];
}

/** The fastest and the slowest tail, as far out as all targets have one. */
export function says(rows: Row[]): string {
  const x = [100, 20].find((x) => rows.every((r) => quantileUs(r.of, x) !== null)) ?? 2;
  const by = rows
    .flatMap((r) => {
      const us = quantileUs(r.of, x);
      return us === null ? [] : [{ target: r.target, us }];
    })
    .sort((a, b) => a.us - b.us);
  const [first] = by,
    last = by.at(-1);
  return first && last
    ? `${100 - 100 / x}th percentile: least ${first.target} ${ms(first.us)} ms, most ${last.target} ${ms(last.us)} ms.`
    : 'Nothing was counted.';
}

export interface DistributionsProps {
  details: Details;
  scenario: string;
  measure: Measure;
  looks: Looks;
  onScenario: (s: string) => void;
  onMeasure: (m: Measure) => void;
}

/** The longest time among the fastest p per cent, over all rounds. */
export function Distributions({
  details,
  scenario,
  measure,
  looks,
  onScenario,
  onMeasure,
}: DistributionsProps) {
  const scenarios = [...new Set(details.distributions.map((d) => d.scenario))];
  const rows = rowsOf(details, scenario, measure, looks);
  const lines = rows
    .map((r): Line => ({
      name: r.target,
      look: looks(r.target),
      points: curve(r.of).map((p) => [p.x, p.ms] as const),
    }))
    .filter((l) => l.points.length > 0);
  const xs = lines.flatMap((l) => l.points.map((p) => p[0])),
    ys = lines.flatMap((l) => l.points.map((p) => p[1]!));
  const xMax = Math.max(10, ...xs),
    yMin = Math.min(...ys) * 0.95,
    yMax = Math.max(...ys) * 1.05;
  return (
    <>
      <div class="row choices">
        <Choice
          legend="Scenario"
          name="ds"
          values={scenarios}
          chosen={scenario}
          onChoose={onScenario}
        />
        <Choice
          legend="Measure"
          name="dm"
          values={measuresOf(details)}
          chosen={measure}
          onChoose={onMeasure}
          label={(m) => measureWords[m]}
        />
      </div>
      {lines.length === 0 ? (
        <p>There are too few values to draw.</p>
      ) : (
        <figure>
          <ul class="legend" aria-label="How each target is drawn">
            {lines.map((l) => (
              <li>
                <Mark of={l.look} /> {l.name}
              </li>
            ))}
          </ul>
          <Lines
            height={340}
            lines={lines}
            label={
              `${measureWords[measure]} in ${scenario} by percentile, of ` +
              `${many(lines.length, 'target')}. ${says(rows)} The table below has the figures.`
            }
            x={{
              min: 1.25,
              max: xMax,
              log: true,
              title: 'percentile: further right is rarer',
              ticks: percentiles.filter(([v]) => v <= xMax * 1.0001),
            }}
            y={{
              min: yMin,
              max: yMax,
              log: true,
              title: 'ms, logarithmic',
              ticks: logarithmic(yMin, yMax).map(
                (v) =>
                  [
                    v,
                    three(v)
                      .replace(/(\.\d*?)0+$/, '$1')
                      .replace(/\.$/, ''),
                  ] as const,
              ),
            }}
          />
          <figcaption>
            {says(rows)} A line ends where fewer than five values are left. Values are counted in
            buckets, so a quantile is at most 3 % off.
          </figcaption>
        </figure>
      )}
      <Table
        caption={`${measureWords[measure]} in ${scenario}, all rounds together`}
        cols={columns(looks)}
        rows={rows}
        id={(r) => r.target}
        apart={(r) => !looks(r.target)}
      />
    </>
  );
}
