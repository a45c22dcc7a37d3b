import { oneOf, sortOf, type Fields } from '../state/url.ts';

export interface MemoryState { sc: string; sort: string }

/** The fullest scenario is the last. */
export const fieldsOf = (scenarios: string[]): Fields<MemoryState> => ({
  sc: oneOf('sc', scenarios, scenarios.at(-1) ?? ''),
  sort: sortOf(['server', 'peak', 'mean', 'share', 'ram', 'further', 'growth']),
});
