// The files that `scripts/bench site` writes, schema 1. Parallel arrays have a place for each commit. null is
// unknown, and is never drawn as a number.
export type * from './types.ts';

export const SCHEMA = 1;

/** 0 ok, 1 warning, 2 invalid or absent. */
export type Status = 0 | 1 | 2;

/**
 * Place in Manifest.epochs; 1.96 sd of a run's figure, in per cent or in the unit of an absolute
 * metric; how many differences it comes from.
 */
export type Noise = [epoch: number, size: number, n: number];
