// The workload of the page: one at a time, since figures of two are never compared.
import type { Manifest, WorkloadForm } from './types.ts';

let unit: WorkloadForm['unit'] = 'stream';

/** Every word after this is about the manifest's workload. */
export function show(m: Manifest): void {
  unit = m.workloads.find((w) => w.name === m.workload)?.unit ?? 'stream';
}

/** What one VU does at a time: a stream or a request. */
export const noun = (): string => unit;
