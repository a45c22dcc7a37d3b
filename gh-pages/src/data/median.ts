/** Of values in order; there is one at least. */
export function median(sorted: readonly number[]): number {
  const half = sorted.length >> 1;
  return sorted.length % 2 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}
