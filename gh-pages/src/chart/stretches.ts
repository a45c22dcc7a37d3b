// Where a line is whole: it ends at what is unknown and at a break, and so does what is
// drawn of it. To clip it there instead leaves the edge of a steep stroke standing.

export type Values = (number | null)[];

/** First and last of points that are drawn in one go; a point of its own is both. */
export function stretches(
  values: readonly (number | null | undefined)[],
  breaks: ReadonlySet<number>,
  from = 0,
  to = values.length - 1,
): [number, number][] {
  const out: [number, number][] = [];
  for (let i = Math.max(0, from), open = false; i <= Math.min(to, values.length - 1); i++) {
    const known = (values[i] ?? null) !== null;
    if (known && open && !breaks.has(i)) out.at(-1)![1] = i;
    else if (known) out.push([i, i]);
    open = known;
  }
  return out;
}
