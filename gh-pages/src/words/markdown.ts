// Tables as Markdown, for a pull request. What comes from outside must not end a
// cell, a line, or become markup or a mention.

/** Text that stays text in a cell of a table. */
export function cell(text: string): string {
  return text
    .replace(/[\r\n\u2028\u2029]+/g, ' ')
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '') // writing that turns the direction of what follows
    .replace(/[\\`*_{}[\]<>()#|~!&]/g, '\\$&')
    .replace(/@(?=\w)/g, '@\u200b');
}

export interface Grid {
  head: string[];
  numeric?: boolean[];
  rows: string[][];
}

export function table({ head, numeric = [], rows }: Grid): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [
    line(head.map(cell)),
    line(head.map((_, i) => (numeric[i] ? '---:' : '---'))),
    ...rows.map((r) => line(r.map(cell))),
  ].join('\n');
}
