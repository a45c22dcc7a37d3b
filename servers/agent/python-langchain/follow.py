"""Events of a thread are a stream in Redis, which gives them their ids. A run may be in another process, so all
processes read them from there."""

import asyncio
import time

from redis.asyncio import Redis

KEPT = 60  # seconds for which Redis keeps events


def key(thread: int) -> str:
    return f"events:{thread}"


def number(id: str) -> tuple[int, ...]:
    """Reads an id of Redis: milliseconds, and a number."""
    return tuple(int(part) if part.isdigit() else 0 for part in id.split("-"))


class Feed:
    """The events of a thread that has subscribers."""

    def __init__(self, redis: Redis, thread: int):
        self.redis, self.thread = redis, thread
        self.events = []  # id, text and whether it is the last of its run, of the latest two runs
        self.begin = 0  # of the latest run, in events
        self.subscribers = set()  # queues of events that they have not read yet
        self.task = None

    async def open(self):
        """Reads the past, and then fills the feed until nobody follows it."""
        self.add(await self.redis.xrange(key(self.thread)))
        self.task = asyncio.create_task(self.fill())

    async def fill(self):
        after = self.events[-1][0] if self.events else "0"
        try:
            while True:
                for _, entries in await self.redis.xread({key(self.thread): after}, block=0):
                    self.add(entries)
                    after = entries[-1][0]
        finally:
            self.end()

    def add(self, entries):
        for id, fields in entries:
            name, data = fields["event"], fields["data"]
            if name == "stored" and '"user"' in data:  # a run begins
                del self.events[: self.begin]
                self.begin = len(self.events)
            text = f"id: {id}\nevent: {name}\ndata: {data}\n\n"
            self.events.append((id, text, name in ("done", "error")))
            for subscriber in self.subscribers:
                subscriber.put_nowait(text)

    def past(self, last_id: str | None) -> list[str]:
        """Returns the events that a new subscriber gets: those after an id, or of a run that is going on."""
        if last_id:
            return [text for id, text, _ in self.events if number(id) > number(last_id)]
        if self.events and not self.events[-1][2]:
            return [text for _, text, _ in self.events[self.begin :]]
        return []

    def end(self):
        for subscriber in self.subscribers:
            subscriber.put_nowait(None)


class Followed:
    @classmethod
    async def open(cls, url: str) -> "Followed":
        # Each thread that is followed waits on a connection of its own.
        redis = Redis.from_url(url, decode_responses=True, max_connections=4096, socket_timeout=None)
        await redis.ping()
        return cls(redis)

    def __init__(self, redis: Redis):
        self.redis = redis
        self.feeds = {}
        self.closed = False

    async def publish(self, thread: int, event: str, data: str):
        """Adds an event to those of a thread."""
        trim = {"minid": int((time.time() - KEPT) * 1000), "approximate": True} if event == "stored" else {}
        await self.redis.xadd(key(thread), {"event": event, "data": data}, **trim)
        if event in ("done", "error"):
            await self.redis.expire(key(thread), KEPT)

    async def follow(self, thread: int, last_id: str | None):
        """Returns a generator of the events of a thread, as text."""
        feed = self.feeds.get(thread)
        if feed is None:
            feed = self.feeds[thread] = Feed(self.redis, thread)
            feed.opened = asyncio.ensure_future(feed.open())
        await feed.opened
        return self.events(feed, last_id)

    async def events(self, feed: Feed, last_id: str | None):
        subscriber = asyncio.Queue()
        for text in feed.past(last_id):
            subscriber.put_nowait(text)
        feed.subscribers.add(subscriber)
        if self.closed:
            subscriber.put_nowait(None)
        try:
            while (text := await subscriber.get()) is not None:
                yield text
        finally:
            feed.subscribers.discard(subscriber)
            if not feed.subscribers and self.feeds.get(feed.thread) is feed:
                del self.feeds[feed.thread]
                feed.task.cancel()

    def close(self):
        """Ends all subscriptions, and those that have yet to begin."""
        self.closed = True
        for feed in self.feeds.values():
            feed.end()
