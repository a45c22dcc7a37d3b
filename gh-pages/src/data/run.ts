// Reads a run's file: what its rounds say together (type Figures in scripts/internal/show/site), then a record
// per line (scripts/internal/judge/record).
import type { Figures, Rec } from './types.ts';

/** The version of a record that this page reads. */
export const RECORD_SCHEMA = 7;

/** A metric over the rounds that count, in the metric's unit. */
export interface Figure {
  mean: number;
  low: number;
  high: number;
  rounds: number;
}

export interface Run {
  records: Rec[];
  figures: Figures;
}

export interface ReadRun extends Run {
  broken: string[];
}

/** A line that cannot be read is named; the rest stands. */
export function readRun(text: string): ReadRun {
  const out: ReadRun = { records: [], broken: [], figures: { figures: 1, metrics: [], rows: [] } };
  text.split('\n').forEach((line, at) => {
    if (line.trim() === '') return;
    try {
      const read = JSON.parse(line) as Rec | Figures;
      if ('rows' in read) out.figures = read;
      else if (read.schema === RECORD_SCHEMA) out.records.push(read);
      else
        throw new Error(`schema ${String(read.schema)}; this page reads schema ${RECORD_SCHEMA}`);
    } catch (error) {
      out.broken.push(`line ${at + 1}: ${error instanceof Error ? error.message : String(error)}`);
    }
  });
  return out;
}

/** A target's figure in a scenario; null: unknown. */
export function figureOf(
  { metrics, rows }: Figures,
  target: string,
  scenario: string,
  metric: string,
): Figure | null {
  const row = rows.find((r) => r.target === target && r.scenario === scenario);
  const cell = row?.cells[metrics.indexOf(metric)];
  return cell ? { mean: cell[0], low: cell[1], high: cell[2], rounds: cell[3] } : null;
}
