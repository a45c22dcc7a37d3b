import { oneOf, type Fields } from '../state/url.ts';

export interface ChartsState {
  server: string;
}

export const fieldsOf = (servers: string[]): Fields<ChartsState> => ({
  server: oneOf('sv', servers, servers[0] ?? ''),
});
