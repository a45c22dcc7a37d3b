// Events of a thread are a stream in Redis, which gives them their ids. A run may be in another process, so all
// processes read them from there.

import { createClient } from "redis";

const keptSeconds = 60; // how long events are kept
const mostUnread = 16 << 20; // bytes that a subscriber may leave unread, before it is dropped

const key = (thread) => `events:${thread}`;

// A feed has the events of a thread that has subscribers.
class Feed {
  constructor(redis, thread) {
    this.redis = redis;
    this.thread = thread;
    this.events = []; // of the latest two runs
    this.begin = 0; // of the latest run, in events
    this.subscribers = new Set();
  }

  // open reads the past, and then fills the feed until nobody follows it.
  async open() {
    await this.redis.connect();
    this.add(await this.redis.xRange(key(this.thread), "-", "+"));
    this.fill().catch(() => this.close()); // also when the last subscriber has left
  }

  async fill() {
    for (let after = this.events.at(-1)?.id ?? "0"; ; ) {
      const [stream] = await this.redis.xRead({ key: key(this.thread), id: after }, { BLOCK: 0 });
      this.add(stream.messages);
      after = stream.messages.at(-1).id;
    }
  }

  add(messages) {
    for (const { id, message } of messages) {
      if (message.event === "stored" && message.data.includes('"user"')) { // a run begins
        this.events.splice(0, this.begin);
        this.begin = this.events.length;
      }
      const last = message.event === "done" || message.event === "error";
      const text = `id: ${id}\nevent: ${message.event}\ndata: ${message.data}\n\n`;
      this.events.push({ id, text, last });
      for (const out of this.subscribers) {
        send(out, text);
      }
    }
  }

  // past are the events that a new subscriber gets: those after an id, or of a run that is going on.
  past(lastID) {
    if (lastID) {
      return this.events.filter((e) => later(e.id, lastID));
    }
    return this.events.at(-1)?.last === false ? this.events.slice(this.begin) : [];
  }

  close() {
    if (this.redis.isOpen) {
      this.redis.destroy();
    }
    for (const out of this.subscribers) {
      out.end();
    }
  }
}

function send(out, text) {
  out.write(text);
  if (out.writableLength > mostUnread) {
    out.destroy();
  }
}

// later compares ids of Redis: milliseconds, and a number.
function later(a, b) {
  const [a1, a2] = a.split("-").map(Number);
  const [b1, b2] = b.split("-").map(Number);
  return a1 > b1 || (a1 === b1 && a2 > b2);
}

export class Followed {
  static async open(url) {
    const redis = createClient({ url });
    redis.on("error", () => {}); // commands fail, and it connects again
    await redis.connect();
    return new Followed(redis);
  }

  constructor(redis) {
    this.redis = redis;
    this.feeds = new Map(); // promises, by thread
  }

  // publish adds an event to those of a thread.
  async publish(thread, event, data) {
    const trim = event === "stored" // not for each token
      ? { TRIM: { strategy: "MINID", strategyModifier: "~", threshold: Date.now() - 1000 * keptSeconds } }
      : undefined;
    await this.redis.xAdd(key(thread), "*", { event, data }, trim);
    if (event === "done" || event === "error") {
      await this.redis.expire(key(thread), keptSeconds);
    }
  }

  // follow sends the events of a thread until the client leaves.
  async follow(thread, lastID, out) {
    if (!this.feeds.has(thread)) {
      const feed = new Feed(this.redis.duplicate().on("error", () => {}), thread);
      this.feeds.set(thread, feed.open().then(() => feed));
    }
    const opened = this.feeds.get(thread);
    let feed;
    try {
      feed = await opened;
    } catch (error) {
      this.feeds.delete(thread);
      out.writeHead(503, { "Content-Type": "application/json" }).end(JSON.stringify({ error: error.message }));
      return;
    }
    out.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-cache" });
    out.flushHeaders();
    for (const event of feed.past(lastID)) {
      send(out, event.text);
    }
    feed.subscribers.add(out);
    out.on("close", () => {
      feed.subscribers.delete(out);
      if (feed.subscribers.size === 0 && this.feeds.get(thread) === opened) {
        this.feeds.delete(thread);
        feed.close();
      }
    });
  }

  // close ends all subscriptions.
  async close() {
    for (const opened of this.feeds.values()) {
      (await opened.catch(() => undefined))?.close(); // one that was not opened needs no end
    }
  }
}
