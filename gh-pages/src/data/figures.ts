// A run as tables: a row a target, a column a metric. The figures are those of the run's
// file, the columns and their order those of the manifest.
import type { Manifest, Metric } from './form.ts';
import type { Rec } from './types.ts';
import { figureOf, type Figure, type Run } from './run.ts';

/** The server, with its side in a comparison: go-http, go-http@base. */
export const targetOf = (r: Pick<Rec, 'server'>): string =>
  r.server.side ? `${r.server.name}@${r.server.side}` : r.server.name;

export const direct = 'direct';

/** The metrics that answer what a scenario asks. */
export const columnsOf = (columns: Manifest['columns'], scenario: string): string[] => {
  const own = columns[scenario.split('-')[0]!];
  return own ?? Object.values(columns)[0] ?? [];
};

export interface Row {
  target: string;
  apart: boolean; // it is direct or a reference
  warning: boolean;
  failed: boolean;
  rounds: number;
  figures: (Figure | null)[];
}
export interface Table {
  scenario: string;
  columns: string[];
  rows: Row[];
}

/** A table a scenario, in the run's order; servers by name, direct and references last. */
export function tables({ records, figures }: Run, from: Manifest['columns']): Table[] {
  return distinct(records.map((r) => r.scenario)).map((scenario) => {
    const of = records.filter((r) => r.scenario === scenario);
    const columns = columnsOf(from, scenario);
    const apart = new Set(
      of.filter((r) => r.server.name === direct || r.server.reference).map(targetOf),
    );
    const targets = distinct(of.map(targetOf)).sort(
      (a, b) => Number(apart.has(a)) - Number(apart.has(b)) || (a < b ? -1 : 1),
    );
    const rows = targets.map((target) => {
      const its = of.filter((r) => targetOf(r) === target);
      return {
        target,
        apart: apart.has(target),
        warning: its.some((r) => r.status !== 'ok'),
        failed: its.every((r) => r.status === 'invalid'),
        rounds: its.length,
        figures: columns.map((c) => figureOf(figures, target, scenario, c)),
      };
    });
    return { scenario, columns, rows };
  });
}

export const isDirect = (target: string) => target === direct || target.startsWith(`${direct}@`);

const distinct = <T>(values: T[]): T[] => [...new Set(values)];

/** A reason, and all records that give it. Figures in it may differ from record to record. */
export interface Warning {
  status: 'warning' | 'invalid';
  why: string;
  targets: string[];
  of: string[];
  alike: boolean;
} // alike: others differ in figures

/** Reasons with digits taken for equal, invalid ones first, then by how many records give them. */
export function warnings(records: Rec[]): Warning[] {
  const all = new Map<string, Warning>();
  for (const r of records) {
    if (r.status === 'ok') continue;
    for (const why of r.why) {
      const key = `${r.status} ${why.replace(/\d+(\.\d+)?/g, '#')}`;
      const warning = all.get(key) ?? { status: r.status, why, targets: [], of: [], alike: false };
      warning.alike ||= warning.why !== why;
      if (!warning.targets.includes(targetOf(r))) warning.targets.push(targetOf(r));
      warning.of.push(`${targetOf(r)}, ${r.scenario}, round ${r.round}`);
      all.set(key, warning);
    }
  }
  return [...all.values()].sort((a, b) =>
    a.status === b.status ? b.of.length - a.of.length : a.status === 'invalid' ? -1 : 1,
  );
}

/** A metric of the manifest; one that it does not have is shown by its name. */
export const metricOf = (metrics: Metric[], name: string): Metric =>
  metrics.find((m) => m.name === name) ?? {
    name,
    label: name,
    unit: '',
    better: '',
    means: name,
    scale: 1,
  };
