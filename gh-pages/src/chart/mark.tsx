// How a server is drawn, beside its name.
import type { Site } from '../data/fetch.ts';
import { looksOf, type Look } from './palette.ts';

export type Looks = (server: string) => Look | undefined;

const BASE = '2 3'; // dotted: head has the place that others look at

/** direct and references have no look. Base and head of a server differ in their lines. */
export function looksIn(site: Site): Looks {
  const all = looksOf(site.manifest.servers);
  return (server) => {
    const [name, side] = server.split('@');
    const look = all.get(name!);
    return look && side ? { ...look, dash: side === 'base' ? BASE : '' } : look;
  };
}

/** A line; ink where there is no look. */
export function Mark({ of }: { of: Look | undefined }) {
  return (
    <svg class="inline" width={30} height={10} aria-hidden="true">
      <path
        class={`curve ${of?.hue ?? 'ink'}`}
        d="M1 5H29"
        stroke-dasharray={of?.dash || undefined}
      />
    </svg>
  );
}
