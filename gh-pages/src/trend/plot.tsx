// A chart as wide as its container. It is drawn again when its input changes.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Drawn } from '../chart/drawn.ts';
import { TrendPlot, type Handlers } from '../chart/trend.ts';

/**
 * of: what to draw; by: all that it is made from, since to draw takes longer than all else on the
 * page.
 */
export function Plot({
  of,
  by,
  handlers,
}: {
  of: (width: number) => Drawn;
  by: unknown[];
  handlers: Handlers;
}) {
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<TrendPlot | null>(null);
  const latest = useRef(handlers);
  latest.current = handlers;
  const [width, setWidth] = useState(0);

  useEffect(() => {
    const watch = new ResizeObserver(([entry]) => setWidth(Math.floor(entry!.contentRect.width)));
    watch.observe(host.current!);
    return () => {
      watch.disconnect();
      plot.current?.destroy();
    };
  }, []);
  useLayoutEffect(() => {
    if (width === 0) return;
    plot.current ??= new TrendPlot(host.current!, {
      zoom: (from, to) => latest.current.zoom(from, to),
      pick: (index, line) => latest.current.pick(index, line),
      hover: (index, line) => latest.current.hover(index, line),
    });
    plot.current.update(of(width), width);
  }, [width, ...by]);
  return <div class="canvas" ref={host} />;
}
