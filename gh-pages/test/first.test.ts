// What publish names in Trend's head, to be asked for before its script has come, is
// what Trend shows when nothing is chosen.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { read } from '../src/state/url.ts';
import { fieldsOf, shown } from '../src/trend/state.ts';
import { fixture } from './fixture/files.ts';

const source = readFileSync(
  new URL('../../scripts/internal/show/site/series.go', import.meta.url),
  'utf8',
);

it('publish names the series that Trend begins with', () => {
  const { manifest } = fixture({ seed: 3, commits: 300, raw: 1 });
  const { state } = read(fieldsOf(manifest), '');
  expect(shown(manifest, state).series).toBe(/firstSeries = "([^"]+)"/.exec(source)?.[1]);
});
