// The requests of the workload http are those that each server declares. The harness has expanded and mixed them.
import { prepared } from '../../lib/requests.js';

const given = JSON.parse(open(__ENV.TARGETS_FILE));

export const requests = prepared(given.rings ?? {}, given.answers ?? []);

// A comparison chooses the rate at which its servers leave half of the machine idle.
export const rate_per_s = Number(__ENV.RATE_PER_S || 100);
