import { Button } from '../frame/button.tsx';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { count } from '../words/numbers.ts';
import { Live } from './live.tsx';

export interface Col<R> {
  key: string; // stable: it stands in addresses
  head: ComponentChildren;
  label: string; // the same as text, for cards and for sorting
  title?: string;
  cell: (row: R) => ComponentChildren;
  exact?: (row: R) => string; // the cell's title
  sort?: (row: R) => number | string | null; // null comes last, either way
  // which figures come first at the first press; words go from A to Z
  better?: 'higher' | 'lower' | '';
  header?: boolean; // names the row
  words?: boolean; // text, not figures
}

export interface TableProps<R> {
  caption: ComponentChildren;
  cols: Col<R>[];
  rows: R[];
  id: (row: R) => string;
  /** A column's key, with - in front for descending; '' is the order of rows. */
  sort?: string;
  onSort?: (sort: string) => void;
  /** Rows shown at a time; none: all. */
  page?: number;
  selected?: (row: R) => boolean;
  apart?: (row: R) => boolean; // rows that get this class
  empty?: ComponentChildren;
}

/** A table that can be sorted and paged by keyboard, and is a list of cards on a phone. */
export function Table<R>({
  caption,
  cols,
  rows,
  id,
  sort,
  onSort,
  page,
  selected,
  apart,
  empty,
}: TableProps<R>) {
  const [own, setOwn] = useState('');
  const [at, setAt] = useState(0);
  const [said, say] = useState('');
  const captionId = useId();
  const box = useMore();
  const by = sort ?? own;
  const sorted = useMemo(() => sortedBy(rows, cols, by), [rows, cols, by]);
  // a page that is drawn anew makes new rows of the same things
  const listed = rows.map(id).join('\n');
  useEffect(() => setAt(0), [by, listed]);
  const most = page ?? sorted.length;
  const from = Math.min(at * most, Math.max(0, sorted.length - 1));
  const shown = sorted.slice(from, from + most);
  const choose = (key: string) => {
    const col = cols.find((c) => c.key === key)!;
    const next = by === key ? `-${key}` : by === `-${key}` ? key : firstSort(col, rows);
    (onSort ?? setOwn)(next);
    say(`Sorted by ${col.label}, ${next === key ? 'ascending' : 'descending'}.`);
  };
  return (
    <>
      <div class="scroll" ref={box} role="region" aria-labelledby={captionId} tabIndex={0}>
        <table class="cards">
          <caption id={captionId}>{caption}</caption>
          <thead>
            <tr>
              {cols.map((c) => (
                <th
                  scope="col"
                  class={c.words ? 'words' : ''}
                  title={c.title}
                  {...(c.sort ? { 'aria-sort': ariaSort(by, c.key) } : {})}
                >
                  {c.sort ? (
                    <button type="button" onClick={() => choose(c.key)}>
                      {c.head}
                    </button>
                  ) : (
                    c.head
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr
                key={id(row)}
                class={apart?.(row) ? 'apart' : ''}
                {...(selected?.(row) ? { 'aria-current': 'true' as const } : {})}
              >
                {cols.map((c) =>
                  c.header ? (
                    <th scope="row" title={c.exact?.(row)}>
                      {c.cell(row)}
                    </th>
                  ) : (
                    <td class={c.words ? 'words' : ''} data-label={c.label} title={c.exact?.(row)}>
                      {c.cell(row)}
                    </td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {cols.some((c) => c.sort) && <Live text={said} />}
      {sorted.length === 0 && <p class="soft">{empty ?? 'Nothing to show.'}</p>}
      {sorted.length > most && (
        <div class="pager row" role="group" aria-label="Pages of the table">
          <Button off={from === 0} onPress={() => setAt(at - 1)}>
            Previous {most}
          </Button>
          <span role="status">
            {count(from + 1)} to {count(from + shown.length)} of {count(sorted.length)}
          </span>
          <Button off={from + most >= sorted.length} onPress={() => setAt(at + 1)}>
            Next {most}
          </Button>
        </div>
      )}
    </>
  );
}

/** Says on its element whether there is more to the right. */
function useMore() {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const look = () =>
      box.current?.toggleAttribute(
        'data-more',
        box.current.scrollWidth - box.current.clientWidth - box.current.scrollLeft > 4,
      );
    const seen = new ResizeObserver(look);
    for (const of of [box.current!, box.current!.firstElementChild!]) seen.observe(of);
    box.current!.addEventListener('scroll', look, { passive: true });
    return () => seen.disconnect();
  }, []);
  return box;
}

const ariaSort = (by: string, key: string) =>
  by === key
    ? ('ascending' as const)
    : by === `-${key}`
      ? ('descending' as const)
      : ('none' as const);

/**
 * The first press of a column's head sorts by its best value, by words from A to Z, or by the
 * largest figure.
 */
export function firstSort<R>(col: Col<R>, rows: R[]): string {
  const words = rows.some((row) => typeof col.sort?.(row) === 'string');
  return words || col.better === 'lower' ? col.key : `-${col.key}`;
}

/** Stable; null last, either way. */
export function sortedBy<R>(rows: R[], cols: Col<R>[], by: string): R[] {
  const down = by.startsWith('-');
  const of = cols.find((c) => c.key === (down ? by.slice(1) : by))?.sort;
  if (!of) return rows;
  return rows
    .map((row) => ({ row, v: of(row) }))
    .sort((a, b) => {
      if (a.v === null || b.v === null) return a.v === b.v ? 0 : a.v === null ? 1 : -1;
      const order =
        typeof a.v === 'number' && typeof b.v === 'number'
          ? a.v - b.v
          : String(a.v) < String(b.v)
            ? -1
            : String(a.v) > String(b.v)
              ? 1
              : 0;
      return down ? -order : order;
    })
    .map((r) => r.row);
}
