import { describe, expect, it } from 'vitest';
import { glossary, parseGlossary, partsOf } from '../src/method/glossary.ts';

describe('the glossary', () => {
  it('has every word of scripts/GLOSSARY.md once, with a meaning', () => {
    expect(glossary.length).toBeGreaterThanOrEqual(30);
    const words = glossary.map((g) => g.word);
    expect(new Set(words).size).toBe(words.length);
    expect(words).toEqual(expect.arrayContaining(['rig', 'level', 'slice', 'verdict', 'epoch']));
    for (const { word, means } of glossary) expect(means, word).toMatch(/\.$/);
  });
  it.each([
    ['no table', '# Glossary\n'],
    ['another head', '| term | text |\n|---|---|\n| rig | k6 and the stub |\n'],
    ['a row of three cells', '| word | meaning |\n|---|---|\n| rig | k6 | the stub |\n'],
    ['a row without a meaning', '| word | meaning |\n|---|---|\n| rig |\n'],
  ])('refuses %s', (_, text) => {
    expect(() => parseGlossary(text)).toThrow('GLOSSARY.md');
  });
  it('knows code and strong words', () => {
    expect(partsOf('A `server.json` has its **size**.')).toEqual([
      { kind: 'text', text: 'A ' },
      { kind: 'code', text: 'server.json' },
      { kind: 'text', text: ' has its ' },
      { kind: 'strong', text: 'size' },
      { kind: 'text', text: '.' },
    ]);
  });
});
