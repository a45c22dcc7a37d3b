// Sorts the rows of a table by a column. A press on a head sorts by its best figure first, or by words from A to Z.

/** The figure that a cell begins with, or its text; null: it has none. */
function valueOf(cell: Element | undefined): number | string | null {
  const text = (cell?.firstChild?.textContent || cell?.textContent || '').trim();
  if (text === '' || text === '–' || text === 'unknown') return null;
  const figure = /^[▼▲]?\s*([+−-]?[\d,]*\.?\d+)/.exec(text);
  return figure ? Number(figure[1]!.replaceAll(',', '').replace('−', '-')) : text;
}

type Value = ReturnType<typeof valueOf>;

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
