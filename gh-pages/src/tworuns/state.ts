import type { Manifest } from '../data/form.ts';
import { oneOf, sha, sortOf, type Fields } from '../state/url.ts';

export interface TwoRunsState {
  a: string; // commits, ten digits; '': the newest and the one before
  b: string;
  scenario: string;
  metrics: 'main' | 'all';
  sort: string;
}

const columns = ['server', 'metric', 'change', 'noise']; // keys of the table's

export function fieldsOf(m: Manifest): Fields<TwoRunsState> {
  return {
    a: sha('a'),
    b: sha('b'),
    scenario: oneOf(
      'sc',
      m.scenarios,
      m.scenarios.includes('stress-100') ? 'stress-100' : (m.scenarios[0] ?? ''),
    ),
    metrics: oneOf('m', ['main', 'all'], 'main'),
    sort: sortOf(columns),
  };
}
