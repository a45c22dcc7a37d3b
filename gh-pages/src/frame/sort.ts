// Sorts the rows of a table by a column. A press on a head sorts up: small figures first, or words from A to Z. The next sorts down.

/** The figure that a text begins with, or the text; null: it is unknown. */
export function read(text: string): number | string | null {
  if (['', '–', '-', '?', 'unknown'].includes(text)) return null;
  // A date or a hash begins with digits too, and others follow.
  const figure = /^[▼▲]?\s*(x?)([+−-]?[\d,]*\.?\d+)(?![\d-]|[a-z]\w{3})/i.exec(text);
  if (!figure) return text;
  const value = Number(figure[2]!.replaceAll(',', '').replace('−', '-'));
  return figure[1] ? 100 * (value - 1) : value; // a factor, among shares in per cent
}

const valueOf = (cell: Element | undefined) =>
  read((cell?.firstChild?.textContent || cell?.textContent || '').trim());

type Value = ReturnType<typeof read>;

/** Unknown values come last, whatever the order. */
export function compare(a: Value, b: Value, down: boolean): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const order =
    typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b));
  return down ? -order : order;
}

function sort(head: HTMLTableCellElement): void {
  const table = head.closest('table')!;
  const down = head.getAttribute('aria-sort') === 'ascending';
  const values = new Map(
    [...table.tBodies[0]!.rows].map((row) => [row, valueOf(row.cells[head.cellIndex])]),
  );
  const rows = [...values.keys()].sort(
    (a, b) =>
      Number(a.classList.contains('apart')) - Number(b.classList.contains('apart')) ||
      compare(values.get(a)!, values.get(b)!, down),
  );
  table.tBodies[0]!.append(...rows);
  for (const h of table.tHead!.rows[0]!.cells) h.removeAttribute('aria-sort');
  head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
}

/** Makes heads buttons, and sorts at a press. A table that is drawn later brings its own buttons. */
export function sortable(): void {
  for (const head of document.querySelectorAll('table.sortable thead th')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.append(...head.childNodes);
    head.append(button);
  }
  document.addEventListener('click', (e) => {
    const head = (e.target as Element).closest<HTMLTableCellElement>('table.sortable thead th');
    if (head) sort(head);
  });
}
