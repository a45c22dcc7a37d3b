import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

export interface Col<R> {
  head: ComponentChildren;
  title?: string;
  cell: (row: R) => ComponentChildren;
  exact?: (row: R) => string; // the cell's title
  header?: boolean; // names the row
  words?: boolean; // text, not figures
}

/** A table that scrolls sideways where it is wide. frame/sort.ts sorts it. apart: rows that stay below. */
export function Table<R>({
  caption,
  cols,
  rows,
  id,
  selected,
  apart,
}: {
  caption: ComponentChildren;
  cols: Col<R>[];
  rows: R[];
  id: (row: R) => string;
  selected?: (row: R) => boolean;
  apart?: (row: R) => boolean;
}) {
  const captionId = useId();
  return (
    <div class="scroll" role="region" aria-labelledby={captionId} tabIndex={0}>
      <table class="sortable">
        <caption id={captionId}>{caption}</caption>
        <thead>
          <tr>
            {cols.map((c) => (
              <th scope="col" class={c.words ? 'words' : ''} title={c.title}>
                <button type="button">{c.head}</button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
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
                  <td class={c.words ? 'words' : ''} title={c.exact?.(row)}>
                    {c.cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
