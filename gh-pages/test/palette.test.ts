import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { hueOf, looksOf } from '../src/chart/palette.ts';

it('gives a server the hue of its language, and each of a language its own dash', () => {
  const all = [
    { name: 'go-gin', language: 'go' },
    { name: 'go-http', language: 'go' },
    { name: 'rust-http', language: 'rust' },
  ];
  const looks = looksOf(all);
  expect(looks.get('go-gin')!.hue).toBe('go');
  expect(looks.get('go-gin')!.dash).not.toBe(looks.get('go-http')!.dash);
  expect(looks.get('rust-http')).toEqual({ hue: 'rust', dash: '' });
});

it('has a colour of the style sheet for every hue', () => {
  const css = readFileSync(new URL('../src/frame/colours.css', import.meta.url), 'utf8');
  for (const language of ['rust', 'go', 'bun', 'node', 'python', 'c++', 'elixir'])
    expect(css).toContain(`--${hueOf(language)}: light-dark(`);
});
