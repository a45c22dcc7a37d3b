// How a server looks, everywhere and whatever else is shown: by its place in the
// manifest. Colours were searched for contrast and for distance as people with the
// common kinds of colour blindness see them; test/palette.test.ts holds them to it.
// From the ninth server on colours come again, with another dash and marker.

export const light = [
  '#1d50ca',
  '#4e0c20',
  '#2ea585',
  '#1e146d',
  '#993878',
  '#b675e4',
  '#444f18',
  '#f35620',
] as const;
export const dark = [
  '#74f2ee',
  '#b53a65',
  '#b28228',
  '#e58fa2',
  '#f2ea8a',
  '#7898fb',
  '#a6bf14',
  '#435ae1',
] as const;

/** Paper that they are drawn on: --paper of site.css. */
export const paper = { light: '#ffffff', dark: '#0d1117' } as const;
export const ink = {
  light: { text: '#1f2328', soft: '#59636e', line: '#d0d7de', worse: '#b04a00', better: '#1d50ca' },
  dark: { text: '#e6edf3', soft: '#9198a1', line: '#3d444d', worse: '#ff9d57', better: '#8db4ff' },
} as const;

export type Marker = 'circle' | 'square' | 'triangle' | 'diamond';
const markers: Marker[] = ['circle', 'square', 'triangle', 'diamond'];
const dashes: number[][] = [[], [8, 4], [2, 3], [10, 3, 2, 3]];

export interface Look {
  colour: string;
  dash: number[];
  marker: Marker;
}

export function look(slot: number, isDark: boolean): Look {
  const again = Math.floor(slot / 8);
  return {
    colour: (isDark ? dark : light)[slot % 8]!,
    dash: dashes[(slot + again) % 4]!,
    marker: markers[(Math.floor(slot / 4) + again) % 4]!,
  };
}

/** A marker around 0, 0 as SVG path data and for canvas alike; r in pixels. */
export function outline(marker: Marker, r: number): string {
  const a = r * 0.886; // a square of the circle's area
  switch (marker) {
    case 'circle':
      return `M${-r} 0A${r} ${r} 0 1 0 ${r} 0A${r} ${r} 0 1 0 ${-r} 0Z`;
    case 'square':
      return `M${-a} ${-a}H${a}V${a}H${-a}Z`;
    case 'triangle':
      return `M0 ${-1.25 * r}L${1.1 * r} ${0.75 * r}H${-1.1 * r}Z`;
    case 'diamond':
      return `M0 ${-1.3 * r}L${1.3 * r} 0L0 ${1.3 * r}L${-1.3 * r} 0Z`;
  }
}
