// Limits of the site's cost for a reader, with a history of 3,000 commits. A KB is 1,000 bytes.

/** Of each page. Scores are per cent, of Lighthouse. */
export const ofPage = {
  bytes: 150_000,
  requests: 8,
  drawn_ms: 2500, // on a slow phone
  scriptBytes: 60_000,
  performance: 95,
  accessibility: 100,
  practices: 100,
  seo: 95,
  shift: 0.02,
  blocked_ms: 150,
};

/** Of the page of a run, which a script draws from the records. */
export const ofRun = { bytes: 220_000, requests: 12, drawn_ms: 3000 };

/**
 * Of the history while somebody looks around in it. A choice replaces the picture, in one frame: within 100 ms a reader
 * sees no delay (https://web.dev/articles/rail).
 */
export const ofUse = { frame_ms: { hover: 50, choice: 100 }, heapBytes: 60e6 };
