// Memory of each server in a run of all servers: pure.
import type { Rec } from '../data/run.ts';
import { isDirect, over, targetOf, vus, type Figure } from '../run/figures.ts';

export interface Held {
  server: string;
  doubtful: boolean;
  failed: boolean; // no record of it has figures
  peak: Figure | null; // bytes
  mean: Figure | null; // bytes, over the whole loading
  share: number | null; // of the sum of all peaks
  ofMachine: number | null; // of its RAM
}

const peakName = 'server_rss_peak_bytes';

export function held(records: Rec[], scenario: string): Held[] {
  const of = records.filter((r) => r.scenario === scenario && !isDirect(targetOf(r)));
  const names = [...new Set(of.map(targetOf))].sort();
  const ram = records.find((r) => r.host.memory_bytes !== null)?.host.memory_bytes ?? null;
  const rows = names.map((server) => {
    const its = of.filter((r) => targetOf(r) === server);
    return { server, doubtful: its.some((r) => r.status !== 'ok'), failed: its.every((r) => r.status === 'invalid'), peak: over(its.map((r) => r.metrics[peakName])), mean: over(its.map((r) => r.metrics.server_rss_mean_bytes)) };
  });
  const sum = rows.reduce((total, r) => total + (r.peak?.mid ?? 0), 0);
  return rows.map((r) => ({ ...r, share: r.peak && sum > 0 ? r.peak.mid / sum : null, ofMachine: r.peak && ram ? r.peak.mid / ram : null }));
}

/** Scenarios that know somebody's memory, in the run's order. */
export const scenariosOf = (records: Rec[]): string[] =>
  [...new Set(records.filter((r) => typeof r.metrics[peakName] === 'number' && !isDirect(targetOf(r))).map((r) => r.scenario))];

export interface PerStream { from: string; to: string; bytes: Map<string, Figure | null> }

/** What a further open stream takes: from the least plateau of stress to the fullest, round by round. null: there are no two. */
export function perStream(records: Rec[]): PerStream | null {
  const plateaus = scenariosOf(records).filter((s) => vus(s) !== null).sort((a, b) => vus(a)! - vus(b)!);
  const from = plateaus[0], to = plateaus.at(-1);
  if (!from || !to || from === to) return null;
  const more = vus(to)! - vus(from)!;
  const bytes = new Map<string, Figure | null>();
  for (const r of records.filter((one) => one.scenario === to && !isDirect(targetOf(one)))) {
    const server = targetOf(r);
    if (bytes.has(server)) continue;
    const peak = (scenario: string, round: number) => records.find((x) => x.scenario === scenario && x.round === round && targetOf(x) === server)?.metrics[peakName] ?? null;
    const rounds = [...new Set(records.map((x) => x.round))];
    bytes.set(server, over(rounds.map((round) => {
      const low = peak(from, round), high = peak(to, round);
      return low === null || high === null ? null : (high - low) / more;
    })));
  }
  return { from, to, bytes };
}

/** Growth with each stream of a long paced load, with its 95 % interval; where a run has one. */
export function growth(records: Rec[], server: string): { bytes: number; low: number; high: number } | null {
  for (const r of records) {
    if (targetOf(r) !== server) continue;
    const { server_rss_slope_bytes_per_stream: bytes, server_rss_slope_low_bytes_per_stream: low, server_rss_slope_high_bytes_per_stream: high } = r.metrics;
    if (typeof bytes === 'number' && typeof low === 'number' && typeof high === 'number') return { bytes, low, high };
  }
  return null;
}
