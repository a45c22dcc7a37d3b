import { useLayoutEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { ink, type Look } from '../chart/palette.ts';
import { useWidth } from '../chart/width.ts';
import { useDark } from '../frame/theme.ts';
import { day, exact } from '../words/numbers.ts';

const HEIGHT = 170;

/**
 * One series over its commits, each as far from the next. The page has it as a sentence and a
 * table.
 */
export function Plot({
  times,
  values,
  look,
  label,
}: {
  times: (number | null)[];
  values: (number | null)[];
  look: Look;
  label: string;
}) {
  const [measure, width] = useWidth();
  const host = useRef<HTMLDivElement>(null);
  const dark = useDark();
  useLayoutEffect(() => {
    if (width === 0) return;
    const { soft, line } = ink[dark ? 'dark' : 'light'];
    const axis = {
      stroke: soft,
      font: '12px system-ui, sans-serif',
      grid: { stroke: line, width: 1 },
      ticks: { stroke: line, width: 1 },
    };
    const u = new uPlot(
      {
        width,
        height: HEIGHT,
        padding: [10, 10, 0, 0],
        legend: { show: false },
        cursor: { show: false },
        scales: { x: { time: false } },
        axes: [
          {
            ...axis,
            space: 84,
            incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000],
            values: (_, at) => at.map((i) => (i in times ? day(times[i]!) : '')),
          },
          { ...axis, size: 64, values: (_, at) => at.map((v) => exact(Number(v.toPrecision(6)))) },
        ],
        series: [
          {},
          {
            stroke: look.colour,
            dash: look.dash,
            width: 2,
            points: { show: true, size: 5, fill: look.colour, stroke: look.colour },
          },
        ],
      },
      [values.map((_, i) => i), values],
      host.current!,
    );
    Object.assign(host.current!, { plot: u }); // tests read back what is drawn
    return () => u.destroy();
  }, [width, dark, values, look.colour]);
  return (
    <div class="canvas points" ref={measure}>
      <div ref={host} role="img" aria-label={label} />
    </div>
  );
}
