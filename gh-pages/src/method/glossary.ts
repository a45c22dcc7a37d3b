// The words of the project. scripts/GLOSSARY.md is the only list of them.
import text from '../../../scripts/GLOSSARY.md?raw';

export interface Entry {
  word: string;
  means: string;
}

/** Reads the table `| word | meaning |` of the glossary. */
export function parseGlossary(markdown: string): Entry[] {
  const rows = markdown.split('\n').filter((line) => line.startsWith('|'));
  if (rows[0] !== '| word | meaning |' || !/^\|-+\|-+\|$/.test(rows[1] ?? ''))
    throw new Error('GLOSSARY.md: no table with the head "| word | meaning |"');
  return rows.slice(2).map((row) => {
    const found = /^\| ([^|]+) \| ([^|]+) \|$/.exec(row);
    if (!found) throw new Error(`GLOSSARY.md: want two cells in this row: ${row}`);
    return { word: found[1]!, means: found[2]! };
  });
}

export const glossary = parseGlossary(text);

export interface Part {
  kind: 'text' | 'code' | 'strong';
  text: string;
}

/** Splits a meaning into plain text, `code` and **strong** words. */
export const partsOf = (means: string): Part[] =>
  means.split(/(`[^`]+`|\*\*[^*]+\*\*)/).flatMap((part): Part[] => {
    if (part === '') return [];
    if (part.startsWith('`')) return [{ kind: 'code', text: part.slice(1, -1) }];
    if (part.startsWith('**')) return [{ kind: 'strong', text: part.slice(2, -2) }];
    return [{ kind: 'text', text: part }];
  });
