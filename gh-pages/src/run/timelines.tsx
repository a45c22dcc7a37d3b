import { useMemo } from 'preact/hooks';
import { Lines, type Axis } from '../chart/lines.tsx';
import type { Looks } from '../chart/mark.tsx';
import { Mark } from '../chart/mark.tsx';
import { linear } from '../chart/ticks.ts';
import type { K6Run, Timeline } from '../data/types.ts';
import { isRig, loaded, seconds, slices } from '../data/details.ts';
import { three } from '../words/numbers.ts';

/** Mean and greatest of the known values; null: there are none. */
export function summed(
  values: (number | null)[],
): { mean: number; most: number; least: number } | null {
  const known = values.filter((v) => v !== null);
  if (known.length === 0) return null;
  return {
    mean: known.reduce((a, b) => a + b, 0) / known.length,
    most: Math.max(...known),
    least: Math.min(...known),
  };
}

const MB = 1024 / 1e6; // of a KiB

export function says(t: Timeline): string {
  const cpu = summed(t.cpu_pct),
    rss = summed(t.rss_kib.map((v) => (v === null ? null : v * MB)));
  if (!cpu || !rss) return 'not sampled';
  return (
    `CPU ${Math.round(cpu.mean)} % of one core on average, ${Math.round(cpu.most)} % at most; ` +
    `memory ${three(rss.least)} to ${three(rss.most)} MB.`
  );
}

const axis = (max: number, about: number, title: string): Axis => ({
  min: 0,
  max,
  title,
  ticks: linear(0, max, about).map((v) => [v, String(v)]),
});

/** Servers share a scale, and so do k6 and the stub: panels can be compared. */
function top(of: Timeline[], values: (t: Timeline) => (number | null)[]): number {
  return Math.max(1, ...of.flatMap((t) => values(t).filter((v) => v !== null)));
}

function Panel({
  k6Run,
  t,
  cpu,
  rss,
  looks,
  end,
}: {
  k6Run: K6Run;
  t: Timeline;
  cpu: number;
  rss: number;
  looks: Looks;
  end: number;
}) {
  const shades = useMemo(() => loaded(slices(k6Run), t.process), [k6Run, t]);
  const own = looks(t.process);
  const look = own && { ...own, dash: '' }; // alone in its panel it needs none
  const points = (values: (number | null)[], by: number) =>
    values.map((v, i) => [t.first + i, v === null ? null : v * by] as const);
  const both = { shades, height: 128 };
  const x = axis(end, 5, 'seconds');
  return (
    <figure>
      <h3>
        {!isRig(t.process) && <Mark of={own} />} {t.process}
      </h3>
      <Lines
        {...both}
        lines={[{ name: t.process, look, points: points(t.cpu_pct, 1) }]}
        x={x}
        y={axis(cpu, 3, 'CPU, % of one core')}
        label={`CPU of ${t.process} second by second. ${says(t)}`}
      />
      <Lines
        {...both}
        lines={[{ name: t.process, look, points: points(t.rss_kib, MB) }]}
        x={x}
        y={axis(rss, 3, 'memory, MB')}
        label={`Memory of ${t.process} second by second. ${says(t)}`}
      />
      <figcaption>{says(t)}</figcaption>
    </figure>
  );
}

/** CPU and memory of every process in one k6 run. */
export function Timelines({ k6Run, looks }: { k6Run: K6Run; looks: Looks }) {
  const end = Math.max(1, Math.ceil(seconds(k6Run)));
  const all = [...k6Run.timelines].sort(
    (a, b) => Number(isRig(a.process)) - Number(isRig(b.process)),
  );
  const rig = all.filter((t) => isRig(t.process)),
    servers = all.filter((t) => !isRig(t.process));
  return (
    <div class="panels">
      {all.map((t) => {
        const of = isRig(t.process) ? rig : servers;
        return (
          <Panel
            key={t.process}
            k6Run={k6Run}
            t={t}
            cpu={top(of, (o) => o.cpu_pct)}
            rss={top(of, (o) => o.rss_kib) * MB}
            looks={looks}
            end={end}
          />
        );
      })}
    </div>
  );
}
