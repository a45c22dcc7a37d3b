// How a server is drawn, beside its name.
import type { Site } from '../data/fetch.ts';
import { useDark } from '../frame/theme.ts';
import { look, outline, type Look } from './palette.ts';

export type Looks = (server: string) => Look | undefined;

const BASE = [2, 3]; // dotted: head has the place that others look at

/**
 * By the place in the manifest. direct is not in it, and has no look. Base and head of a server differ
 * in their lines.
 */
export function useLooks(site: Site): Looks {
  const dark = useDark();
  const slots = new Map(
    site.manifest.servers.flatMap((s, i) =>
      [s.name, ...s.was].map((name): [string, number] => [name, i]),
    ),
  );
  return (server) => {
    const [name, side] = server.split('@');
    const slot = slots.get(name!);
    if (slot === undefined) return undefined;
    const own = look(slot, dark);
    return side ? { ...own, dash: side === 'base' ? BASE : [] } : own;
  };
}

/** A line with its marker; ink where there is no look. */
export function Mark({ of }: { of: Look | undefined }) {
  const colour = of?.colour ?? 'currentColor';
  return (
    <svg class="inline mark" width={34} height={14} viewBox="-17 -7 34 14" aria-hidden="true">
      <line
        x1={-17}
        x2={17}
        y1={0}
        y2={0}
        stroke={colour}
        stroke-width={2}
        stroke-dasharray={of?.dash.join(' ') || undefined}
      />
      <path
        d={outline(of?.marker ?? 'circle', 4)}
        fill={of ? colour : 'var(--paper)'}
        stroke={colour}
      />
    </svg>
  );
}
