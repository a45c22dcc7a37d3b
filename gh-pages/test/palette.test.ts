import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { dark, ink, light, look, paper } from '../src/chart/palette.ts';

type RGB = [number, number, number]; // linear, 0 to 1

const linear = (hex: string): RGB =>
  [1, 3, 5].map((at) => {
    const v = parseInt(hex.slice(at, at + 2), 16) / 255;
    return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  }) as RGB;
const luminance = ([r, g, b]: RGB) => 0.2126 * r + 0.7152 * g + 0.0722 * b;
const contrast = (a: string, b: string) => {
  const [x, y] = [luminance(linear(a)), luminance(linear(b))];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
};

// Machado, Oliveira and Fernandes 2009, severity 1, on linear RGB.
const seen: Record<string, number[][]> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};
const through = (m: number[][], c: RGB) =>
  m.map((row) =>
    Math.min(
      1,
      Math.max(
        0,
        row.reduce((sum, k, i) => sum + k * c[i]!, 0),
      ),
    ),
  ) as RGB;
function oklab([r, g, b]: RGB): RGB {
  const [l, m, s] = [
    0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b,
    0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b,
    0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b,
  ].map(Math.cbrt) as RGB;
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}
const apart = (a: RGB, b: RGB) => 100 * Math.hypot(...oklab(a).map((v, i) => v - oklab(b)[i]!));

describe.each([
  ['light', light, paper.light],
  ['dark', dark, paper.dark],
] as const)('%s palette', (name, colours, on) => {
  it('stands out from paper as a thin line: 3:1', () => {
    for (const c of colours) expect(contrast(c, on), c).toBeGreaterThanOrEqual(3);
  });
  it.each(Object.keys(seen))('keeps colours 10 or more apart: %s', (kind) => {
    colours.forEach((a, i) =>
      colours.slice(i + 1).forEach((b) => {
        expect(
          apart(through(seen[kind]!, linear(a)), through(seen[kind]!, linear(b))),
          `${a} ${b}`,
        ).toBeGreaterThanOrEqual(10);
      }),
    );
  });
  it('has words that can be read: 4.5:1', () => {
    for (const c of [ink[name].text, ink[name].soft, ink[name].worse, ink[name].better])
      expect(contrast(c, on), c).toBeGreaterThanOrEqual(4.5);
  });
});

it('is the paper and ink of site.css', () => {
  const css = readFileSync(new URL('../src/frame/site.css', import.meta.url), 'utf8');
  const comparison = (name: string) =>
    /light-dark\((#\w+), (#\w+)\)/.exec(css.slice(css.indexOf(`--${name}:`)))!.slice(1, 3);
  expect(comparison('paper')).toEqual(['#fff', paper.dark]);
  for (const [of, name] of [
    ['text', 'ink'],
    ['soft', 'soft'],
    ['line', 'line'],
    ['worse', 'worse'],
    ['better', 'better'],
  ] as const) {
    expect(comparison(name), name).toEqual([ink.light[of], ink.dark[of]]);
  }
});

it('tells 24 servers apart by colour, dash and marker', () => {
  const looks = Array.from({ length: 24 }, (_, slot) => JSON.stringify(look(slot, false)));
  expect(new Set(looks).size).toBe(24);
});
