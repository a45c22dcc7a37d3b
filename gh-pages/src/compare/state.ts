import type { Manifest } from '../data/form.ts';
import { oneOf, renames, sha, sortOf, type Fields } from '../state/url.ts';

export interface CompareState {
  of: 'commits' | 'servers';
  a: string; // commits, ten digits; '': the newest and the one before
  b: string;
  x: string; // servers of the newest run of all
  y: string;
  scenario: string;
  metrics: 'main' | 'all';
  only: 'clear' | 'worse' | 'all';
  sort: string;
}

const columns = ['server', 'metric', 'change', 'factor']; // keys of the table's

export function fieldsOf(m: Manifest): Fields<CompareState> {
  const names = m.servers.map((s) => s.name);
  const old = renames(m.servers);
  return {
    of: oneOf('of', ['commits', 'servers'], 'commits'),
    a: sha('a'),
    b: sha('b'),
    x: oneOf('x', names, names[0] ?? '', old),
    y: oneOf('y', names, names[1] ?? names[0] ?? '', old),
    scenario: oneOf('sc', m.scenarios, m.scenarios.includes('stress-100') ? 'stress-100' : (m.scenarios[0] ?? '')),
    metrics: oneOf('m', ['main', 'all'], 'main'),
    only: oneOf('only', ['clear', 'worse', 'all'], 'clear'),
    sort: sortOf(columns),
  };
}
