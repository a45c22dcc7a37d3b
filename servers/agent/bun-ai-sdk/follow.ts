// Events of a thread are a stream in Redis, which gives them their ids. A run may be in another process, so all
// processes read them from there.

import { RedisClient } from "bun";

const keptSeconds = 60; // how long events are kept
const mostUnread = 16 << 20; // bytes that a subscriber may leave unread, before it is dropped

const key = (thread: number) => `events:${thread}`;

type Entry = [id: string, fields: [string, string, string, string]]; // event and its name, data and their text
type Event = { id: string; text: string; last: boolean };
type Subscriber = { stream: ReadableStreamDefaultController<Uint8Array>; drop: () => void };

const encoder = new TextEncoder();

// A Feed has the events of a thread that has subscribers.
class Feed {
  private events: Event[] = []; // of the latest two runs
  private begin = 0; // of the latest run, in events
  readonly subscribers = new Set<Subscriber>();

  constructor(
    private redis: RedisClient,
    private thread: number,
  ) {}

  // open reads the past, and then fills the feed until nobody follows it.
  async open(): Promise<void> {
    this.add(await this.redis.send("XRANGE", [key(this.thread), "-", "+"]));
    this.fill().catch(() => this.close()); // also when the last subscriber has left
  }

  private async fill(): Promise<void> {
    for (let after = this.events.at(-1)?.id ?? "0"; ; after = this.events.at(-1)?.id ?? after) {
      const streams = await this.redis.send("XREAD", ["BLOCK", "0", "STREAMS", key(this.thread), after]);
      this.add(streams[key(this.thread)]);
    }
  }

  private add(entries: Entry[]): void {
    for (const [id, [, name, , data]] of entries) {
      if (name === "stored" && data.includes('"user"')) {
        // a run begins
        this.events.splice(0, this.begin);
        this.begin = this.events.length;
      }
      const text = `id: ${id}\nevent: ${name}\ndata: ${data}\n\n`;
      this.events.push({ id, text, last: name === "done" || name === "error" });
      for (const subscriber of this.subscribers) {
        this.send(subscriber, text);
      }
    }
  }

  // follow adds a subscriber, and sends it the past: the events after an id, or those of a run that is going on.
  follow(subscriber: Subscriber, lastID: string | null): void {
    let past = this.events.at(-1)?.last === false ? this.events.slice(this.begin) : [];
    if (lastID) {
      past = this.events.filter((e) => later(e.id, lastID));
    }
    this.subscribers.add(subscriber);
    for (const event of past) {
      this.send(subscriber, event.text);
    }
  }

  private send(subscriber: Subscriber, text: string): void {
    subscriber.stream.enqueue(encoder.encode(text));
    if ((subscriber.stream.desiredSize ?? 0) < -mostUnread) {
      this.subscribers.delete(subscriber);
      subscriber.drop();
    }
  }

  close(): void {
    this.redis.close();
    for (const subscriber of this.subscribers) {
      subscriber.stream.close();
    }
    this.subscribers.clear();
  }
}

// later compares ids of Redis: milliseconds, and a number.
function later(a: string, b: string): boolean {
  const [a1, a2] = a.split("-").map(Number);
  const [b1, b2] = b.split("-").map(Number);
  return a1 > b1 || (a1 === b1 && a2 > b2);
}

export class Followed {
  private feeds = new Map<number, Promise<Feed>>();

  static async open(url: string): Promise<Followed> {
    const redis = new RedisClient(url);
    await redis.connect();
    return new Followed(redis);
  }

  constructor(private redis: RedisClient) {}

  // publish adds an event to those of a thread.
  async publish(thread: number, event: string, data: string): Promise<void> {
    const trim = event === "stored" ? ["MINID", "~", String(Date.now() - 1000 * keptSeconds)] : []; // not for each token
    await this.redis.send("XADD", [key(thread), ...trim, "*", "event", event, "data", data]);
    if (event === "done" || event === "error") {
      await this.redis.send("EXPIRE", [key(thread), String(keptSeconds)]);
    }
  }

  // follow returns the events of a thread. drop ends the connection of a client that does not read.
  async follow(thread: number, lastID: string | null, drop: () => void): Promise<ReadableStream<Uint8Array>> {
    let opened = this.feeds.get(thread);
    if (!opened) {
      opened = this.open(thread);
      this.feeds.set(thread, opened);
      opened.catch(() => this.feeds.delete(thread)); // the caller gets the error
    }
    const feed = await opened;
    let own: Subscriber;
    return new ReadableStream(
      {
        start: (stream) => {
          own = { stream, drop };
          stream.enqueue(encoder.encode(":\n\n")); // Bun sends the header with the first bytes
          feed.follow(own, lastID);
        },
        cancel: () => {
          feed.subscribers.delete(own);
          if (feed.subscribers.size === 0 && this.feeds.get(thread) === opened) {
            this.feeds.delete(thread);
            feed.close();
          }
        },
      },
      new ByteLengthQueuingStrategy({ highWaterMark: 0 }),
    );
  }

  private async open(thread: number): Promise<Feed> {
    const feed = new Feed(await this.redis.duplicate(), thread);
    await feed.open();
    return feed;
  }

  // close ends all subscriptions.
  async close(): Promise<void> {
    for (const opened of this.feeds.values()) {
      (await opened.catch(() => undefined))?.close(); // one that was not opened needs no end
    }
  }
}
