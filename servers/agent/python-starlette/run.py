"""A run is the answer to one message. Its events go to the client that asked, and to all that follow the thread."""

import asyncio
import json

from agent import Agent


class Run:
    def __init__(self, thread: int, state):
        self.thread, self.client, self.threads, self.followed = thread, state.client, state.threads, state.followed
        self.queue = asyncio.Queue()
        self.order = asyncio.Lock()  # tools and agents run at the same time

    async def answer(self, stored: int, history: list[str]):
        """Yields the events as text. The run ends when nobody takes them any more."""
        task = asyncio.create_task(self.whole(stored, history))
        try:
            while (text := await self.queue.get()) is not None:
                yield text
        finally:
            if not task.done():
                task.cancel()
            await asyncio.shield(asyncio.wait([task]))

    async def whole(self, stored: int, history: list[str]):
        name, data = "done", {}
        try:
            await self.emit("stored", {"id": stored, "role": "user"})
            await Agent(self, history).loop()
        except asyncio.CancelledError:
            name, data = "error", {"message": "the client has left"}
        except Exception as error:  # noqa: BLE001 - any error ends the run, and the client must see it
            while isinstance(error, ExceptionGroup):  # of tools that ran at the same time
                error = error.exceptions[0]
            name, data = "error", {"message": f"{type(error).__name__}: {error}"}
        text = json.dumps(data)
        try:
            await self.followed.publish(self.thread, name, text)  # before another run can
        finally:
            await self.threads.unlock(self.thread)  # before the client can send another message
            self.send(name, text)
            self.queue.put_nowait(None)

    async def emit(self, name: str, data: dict):
        """Sends an event to the client, and publishes it."""
        text = json.dumps(data)
        async with self.order:
            self.send(name, text)
            await self.followed.publish(self.thread, name, text)

    def send(self, name: str, text: str):
        self.queue.put_nowait(f"event: {name}\ndata: {text}\n\n")

    async def store(self, messages: list[str]):
        """Commits a turn, and announces it. A turn whose client leaves meanwhile is stored all the same."""
        ids = await asyncio.shield(self.threads.store(self.thread, messages))
        if ids is None:
            raise RuntimeError("the thread was deleted")
        for i, id in enumerate(ids):
            await self.emit("stored", {"id": id, "role": "tool" if i else "assistant"})
