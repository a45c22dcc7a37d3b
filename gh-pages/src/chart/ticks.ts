// Where an axis has its ticks.

/** About count round values from low to high; low < high. */
export function linear(low: number, high: number, about: number): number[] {
  const step = roundStep((high - low) / about);
  const out = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; k++)
    out.push(Number((k * step).toPrecision(12)));
  return out;
}

function roundStep(size: number): number {
  const ten = 10 ** Math.floor(Math.log10(size));
  return ([1, 2, 5].find((f) => f * ten >= size * 0.75) ?? 10) * ten;
}

const ENOUGH = 4;
const factors = [[1], [1, 2, 5], [1, 1.5, 2, 3, 5, 7]];

/**
 * As few of the round values between low and high, both over 0, as say enough; evenly spaced ones
 * where the range is short.
 */
export function logarithmic(low: number, high: number): number[] {
  for (const of of factors) {
    const out = [];
    for (let e = Math.floor(Math.log10(low)); e <= Math.ceil(Math.log10(high)); e++) {
      for (const f of of) {
        const v = Number((f * 10 ** e).toPrecision(6));
        if (v >= low * 0.9999 && v <= high * 1.0001) out.push(v);
      }
    }
    if (out.length >= ENOUGH) return out;
  }
  return linear(low, high, ENOUGH + 1);
}
