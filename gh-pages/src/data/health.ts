// The results of the newest run: data/health.HASH.json (type Health in
// scripts/internal/show/site/form.go).
import type { Status } from './form.ts';

/** A server's newest point and what came before; m, l, h as in a Column. */
export interface Pulse {
  at: number; // place of the commit
  m: number;
  l: number;
  h: number;
  s: Status;
  // to the median of up to 20 earlier points of the epoch: per cent, or the metric's unit; null:
  // there are none
  change: number | null;
  of: number; // how many
  // 1.96 sd of a run's figure of unchanged code, in the same unit; null: unknown
  noise: number | null;
  inside: boolean | null; // the change is within the noise; null: one of them is not known
  spark: (number | null)[]; // of the newest 50 commits
}

export interface HeadlineHealth {
  scenario: string;
  metric: string;
  servers: Record<string, Pulse>;
}

/** Why is what the records say: text from outside. */
export interface Trouble {
  server: string;
  scenario: string;
  why: string[] | null;
}

export interface Health {
  schema: number;
  commit: number | null; // place of the newest with points; null: none
  run: string | null;
  headlines: HeadlineHealth[];
  open: string[] | null; // ids of events: regressed, confirmed, not accepted
  missing: string[] | null; // servers that the commit before had
  failed: Trouble[] | null;
  warned: Trouble[] | null;
}
