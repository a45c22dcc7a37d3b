// Which servers have figures, and which failed, in a sentence.
import type { Rec } from '../data/types.ts';
import { listed, many } from '../words/numbers.ts';
import { cut } from '../words/text.ts';
import { isDirect, targetOf } from '../data/figures.ts';

/** A target without figures in some scenarios, with the reasons. */
export interface Failed {
  target: string;
  scenarios: string[];
  all: boolean;
  why: string[];
}

const distinct = <T>(values: T[]): T[] => [...new Set(values)];

/** Targets whose records of a scenario are all invalid, by name. */
export function failed(records: Rec[]): Failed[] {
  return distinct(records.map(targetOf))
    .filter((t) => !isDirect(t))
    .sort()
    .flatMap((target): Failed[] => {
      const its = records.filter((r) => targetOf(r) === target);
      const loaded = distinct(its.map((r) => r.scenario));
      const scenarios = loaded.filter((s) =>
        its.every((r) => r.scenario !== s || r.status === 'invalid'),
      );
      if (scenarios.length === 0) return [];
      return [
        {
          target,
          scenarios,
          all: scenarios.length === loaded.length,
          why: distinct(its.filter((r) => r.status === 'invalid').flatMap((r) => r.why)),
        },
      ];
    });
}

/**
 * "6 of 7 servers have all figures; rust-actix has none in stress-10 and stress-100: it exited with
 * 137."
 */
export function whoHas(records: Rec[]): string {
  const servers = distinct(records.map(targetOf)).filter((t) => !isDirect(t));
  const gone = failed(records);
  if (servers.length === 0) return 'The run loaded no server.';
  const whole =
    gone.length === 0
      ? servers.length === 1
        ? `${servers[0]} has figures in all its scenarios`
        : `All ${many(servers.length, 'server')} have figures in all scenarios`
      : servers.length === 1
        ? ''
        : `${servers.length - gone.length} of ${many(servers.length, 'server')} have figures in all scenarios`;
  const others = gone.map(
    (f) =>
      `${f.target} has none${f.all ? '' : ` in ${listed(f.scenarios)}`}${f.why.length ? `: ${cut(f.why[0]!, 160)}` : ''}`,
  );
  return `${[whole, ...others].filter(Boolean).join('; ')}.`;
}
