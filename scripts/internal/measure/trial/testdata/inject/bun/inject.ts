// A size for a server on Bun that calls its upstream with fetch: it is worse by a known amount, which the command line
// gives. The files for Go explain the flags and the report. Both are the same here.

import { dlopen, ptr, toArrayBuffer } from "bun:ffi";
import { parseArgs } from "node:util";

const text = { type: "string", default: "" } as const;
const number = { type: "string", default: "0" } as const;
const { values } = parseArgs({
  args: process.argv.slice(2).map((arg) => arg.replace(/^-(?=[a-z])/, "--")),
  options: {
    work: number,
    "work-pace": text,
    "ttft-us": number,
    "ttft-share": number,
    "ttft-pace": text,
    "tail-us": number,
    "tail-share": number,
    "tail-pace": text,
    resident: number,
    "lock-work": number,
    "lock-pace": text,
  },
});

const work = Number(values.work); // iterations for each read
const residentBytes = Number(values.resident); // of each concurrent stream
const lockWork = Number(values["lock-work"]); // iterations for each stream
const ttft = { us: Number(values["ttft-us"]), share: Number(values["ttft-share"]), pace: values["ttft-pace"] };
const tail = { us: Number(values["tail-us"]), share: Number(values["tail-share"]), pace: values["tail-pace"] };

const golden = (1 + Math.sqrt(5)) / 2;
const isOf = (wanted: string, pace: string) => wanted === "" || wanted === pace;

class Delays {
  count = 0;
  mean_us = 0;

  add(us: number) {
    this.count++;
    this.mean_us += (us - this.mean_us) / this.count;
  }
}

// Given is what streams got.
class Given {
  streams = 0;
  reads = 0;
  iterations = 0;
  ttft = new Delays();
  tail = new Delays();

  add(stream: Stream) {
    this.streams++;
    this.reads += stream.reads;
    this.iterations += stream.iterations;
    for (const which of ["ttft", "tail"] as const) {
      if (stream.delays[which] > 0) {
        this[which].add(stream.delays[which]);
      }
    }
  }
}

const all = new Given();
const paces: Record<string, Given> = {};
let started = 0;
let open = 0;
let mostOpen = 0;

class Stream {
  number = started++;
  reads = 0;
  iterations = 0;
  delays = { ttft: 0, tail: 0 }; // in us
  ended = false;
  pace: string;

  constructor(request: unknown) {
    this.pace = /@itl=([\p{L}\p{Nd}]*)/u.exec(String(request))?.[1] ?? "";
    open++;
    if (open > mostOpen) {
      mostOpen = open;
      hold(residentBytes);
    }
  }

  // Multiples of the golden ratio fall evenly into the circle. Streams that are picked with one offset are others than
  // those with another.
  isDue({ share, pace }: { share: number; pace: string }, offset: number) {
    return (this.number * golden + offset) % 1 < share && isOf(pace, this.pace);
  }

  end() {
    if (!this.ended) {
      this.ended = true;
      open--;
      all.add(this);
      paces[this.pace] ??= new Given();
      paces[this.pace].add(this);
    }
  }

  work(iterations: number) {
    this.iterations += iterations;
    sink = spin(sink, iterations);
  }

  // body is the upstream's body.
  body(upstream: ReadableStream<Uint8Array>) {
    const reader = upstream.getReader();
    return new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        try {
          const { done, value } = await reader.read();
          const each = isOf(values["work-pace"], this.pace) ? work : 0;
          this.work(this.reads === 0 && isOf(values["lock-pace"], this.pace) ? each + lockWork : each);
          this.reads++;
          if (!done) {
            controller.enqueue(value);
            return;
          }
          if (this.isDue(tail, 0.5)) {
            this.delays.tail = await wait(tail.us);
          }
          this.end();
          controller.close();
        } catch (error) {
          this.end();
          throw error;
        }
      },
      cancel: (reason) => {
        this.end();
        return reader.cancel(reason);
      },
    });
  }
}

const upstreamFetch = globalThis.fetch;

globalThis.fetch = (async (input: RequestInfo, init?: RequestInit) => {
  const stream = new Stream(init?.body);
  try {
    const answer = await upstreamFetch(input, init);
    if (stream.isDue(ttft, 0)) {
      stream.delays.ttft = await wait(ttft.us);
    }
    if (!answer.body) {
      stream.end();
      return answer;
    }
    return new Response(stream.body(answer.body), answer);
  } catch (error) {
    stream.end();
    throw error;
  }
}) as typeof fetch;

// Timers of Bun are exact to a millisecond. This wait is exact to microseconds, since the event loop goes on. It takes
// CPU time, so a delay is for a level whose CPU time does not decide.
async function wait(us: number): Promise<number> {
  const begun = performance.now();
  while ((performance.now() - begun) * 1000 < us) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  return (performance.now() - begun) * 1000;
}

// spin makes this many steps. Each needs the result of the one before.
function spin(x: number, steps: number): number {
  for (let i = 0; i < steps; i++) {
    x = (Math.imul(x, 1664525) + 1013904223) | 0;
  }
  return x;
}

let sink = 1; // takes the results of the work, so that the compiler keeps it

// Until the compiler has optimised spin, a step takes several times as long.
for (let i = 0; i < 1000; i++) {
  sink = spin(sink, 10_000);
}

const libc = dlopen("libc.so.6", {
  mmap: { args: ["ptr", "usize", "i32", "i32", "i32", "i64"], returns: "ptr" },
  madvise: { args: ["ptr", "usize", "i32"], returns: "i32" },
  clock_gettime: { args: ["i32", "ptr"], returns: "i32" },
}).symbols;

// Memory that is held and never given back. The collector counts what is reserved, so a large reserve would make it
// collect less often.
const pageBytes = 4096;
let heldBytes = 0;
let touchedBytes = 0; // in whole pages
let fresh = new Uint8Array(); // reserved, and not there yet
const reserveBytes = 1 << 20;

// hold holds more bytes. The sum is exact to a page.
function hold(bytes: number) {
  heldBytes += bytes;
  for (; touchedBytes < heldBytes; touchedBytes += pageBytes) {
    if (fresh.length === 0) {
      fresh = reserve(reserveBytes);
    }
    fresh[0] = 1;
    fresh = fresh.subarray(pageBytes);
  }
}

// reserve maps memory that is there once it is touched. Huge pages would bring 2 MiB with the first byte.
function reserve(bytes: number) {
  const readWrite = 1 | 2;
  const privateAnonymousNoReserve = 0x2 | 0x20 | 0x4000;
  const noHugePage = 15;
  const at = libc.mmap(null, bytes, readWrite, privateAnonymousNoReserve, -1, 0);
  if (at === null || at < 0) {
    throw new Error(`inject: mmap of ${bytes} bytes failed`);
  }
  libc.madvise(at, bytes, noHugePage); // it fails where there are none
  return new Uint8Array(toArrayBuffer(at, 0, bytes));
}

// calibrate measures ten times a second how much CPU time an iteration takes. A busy core takes longer.
const steps = 20_000;
let calibrations = 0;
let nsPerIteration = 0; // mean since the start

setInterval(() => {
  threadNS(); // the first call after a pause takes as long as all steps
  const before = threadNS();
  sink = spin(sink, steps);
  calibrations++;
  nsPerIteration += (Number(threadNS() - before) / steps - nsPerIteration) / calibrations;
}, 100).unref();

const time = new BigInt64Array(2);
const timeAt = ptr(time);

// threadNS is the CPU time of this thread.
function threadNS(): bigint {
  const clockThreadCPU = 3; // clock_gettime(2)
  libc.clock_gettime(clockThreadCPU, timeAt);
  return time[0] * 1_000_000_000n + time[1];
}

// The report is a line, every second in which a stream ended.
let last = -1;

setInterval(() => {
  if (all.streams !== last) {
    last = all.streams;
    const told = { ...all, paces, ns_per_iteration: nsPerIteration, most_open: mostOpen, resident_bytes: touchedBytes };
    process.stderr.write(`${JSON.stringify({ injected: told })}\n`);
  }
}, 1000).unref();
