"""Threads and their messages, in PostgreSQL.

Settings that are not the default, so that no connection is opened again under load:
  - max_inactive_connection_lifetime 0 (default 300 s).
  - max_queries without a limit (default 50,000, after which the pool replaces a connection).
    https://magicstack.github.io/asyncpg/current/api/index.html#connection-pools
"""

import asyncio
import sys

import asyncpg

COLUMNS = "id, title, created_at"

# Errors of a query without a database. asyncpg raises its internal error where a connection was lost just before.
UNAVAILABLE = (asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError, OSError)


def thread_of(row):
    return row and {"id": row["id"], "title": row["title"], "created_at": row["created_at"].isoformat()}


class Threads:
    @classmethod
    async def open(cls, url: str, connections: int) -> "Threads":
        """Opens all connections of the pool."""
        pool = await asyncpg.create_pool(
            url,
            min_size=connections,
            max_size=connections,
            max_queries=sys.maxsize,
            max_inactive_connection_lifetime=0,
        )
        return cls(url, pool, await asyncpg.connect(url))

    def __init__(self, url: str, pool: asyncpg.Pool, locks: asyncpg.Connection):
        self.url, self.pool = url, pool
        self.locks = locks  # a connection of its own: a run must not keep one of the pool
        self.held = set()  # locks of one connection do not exclude each other
        self.turn = asyncio.Lock()  # a connection has one query at a time

    async def one(self, query: str, *values):
        return await self.pool.fetchrow(query, *values)

    async def create(self, title: str):
        return thread_of(await self.one(f"insert into threads (title) values ($1) returning {COLUMNS}", title))

    async def read(self, thread: int):
        return thread_of(await self.one(f"select {COLUMNS} from threads where id = $1", thread))

    async def rename(self, thread: int, title: str):
        query = f"update threads set title = $2 where id = $1 returning {COLUMNS}"
        return thread_of(await self.one(query, thread, title))

    async def remove(self, thread: int):
        return await self.one("delete from threads where id = $1 returning id", thread)

    async def page(self, limit: int, before: int):
        query = f"select {COLUMNS} from threads where id < $1 order by id desc limit $2"
        return [thread_of(row) for row in await self.pool.fetch(query, before, limit)]

    async def messages(self, thread: int):
        """Returns ids and messages of a thread, in order. Messages are JSON."""
        return await self.pool.fetch("select id, message from messages where thread_id = $1 order by id", thread)

    async def store(self, thread: int, messages: list[str]):
        """Commits messages, all or none. Returns their ids in order, or None without such a thread."""
        query = (
            "insert into messages (thread_id, message) "
            "select $1, m::json from unnest($2::text[]) with ordinality as t (m, n) order by n returning id"
        )
        try:
            return [row["id"] for row in await self.pool.fetch(query, thread, messages)]
        except asyncpg.ForeignKeyViolationError:
            return None

    async def lock(self, thread: int) -> bool:
        """Takes PostgreSQL's advisory lock of a thread. Returns False if the thread has a run, in any process."""
        async with self.turn:
            if thread in self.held:
                return False
            if self.locks.is_closed():
                self.locks = await asyncpg.connect(self.url)
            if not await self.locks.fetchval("select pg_try_advisory_lock($1)", thread):
                return False
            self.held.add(thread)
            return True

    async def unlock(self, thread: int):
        async with self.turn:
            self.held.discard(thread)
            try:
                await self.locks.execute("select pg_advisory_unlock($1)", thread)
            except UNAVAILABLE:
                pass  # the lock has ended with its connection
