// The files that `scripts/bench site` writes, schema 1. Parallel arrays have a place for each commit. null is
// unknown, and is never drawn as a number.
export type * from './types.ts';

export const SCHEMA = 1;
