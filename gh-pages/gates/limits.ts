// Limits of the site's cost for a reader, with a history of 3,000 commits. A KB is 1,000 bytes.
export interface Limits {
  firstBytes: number;
  firstRequests: number;
  firstDrawn_ms: number;
  fullBytes: number;
  fullDrawn_ms: number;
  frame_ms: number;
  heapBytes: number;
  performance: number; // per cent, of Lighthouse, on every page
}

const of8: Limits = {
  firstBytes: 220_000,
  firstRequests: 12,
  firstDrawn_ms: 3000,
  fullBytes: 350_000,
  fullDrawn_ms: 3500,
  frame_ms: 50,
  heapBytes: 60e6,
  performance: 95,
};
const of20: Limits = {
  firstBytes: 350_000,
  firstRequests: 12,
  firstDrawn_ms: 3000,
  fullBytes: 850_000,
  fullDrawn_ms: 7000,
  frame_ms: 100,
  heapBytes: 120e6,
  performance: 80,
}; // Two runs reads seven whole series of them all

export const limitsOf = (servers: number): Limits => (servers <= 8 ? of8 : of20);

/** Of each page, however many servers there are. Scores are per cent. */
export const ofPage = {
  scriptBytes: 60_000,
  accessibility: 100,
  practices: 100,
  seo: 95,
  shift: 0.02,
  blocked_ms: 150,
};
