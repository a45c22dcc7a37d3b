"""python-langchain: python-starlette, with the agent of LangChain. agent.py says what is own code and why. All other files
are those of python-starlette.
"""

import sys

sys.path.insert(0, "site-packages")  # build.sh puts the packages there

import contextlib
import json
import os
import signal
import socket

import aiohttp
import uvicorn
from follow import Followed
from run import Run
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from threads import UNAVAILABLE, Threads

STREAM = {"Content-Type": "text/event-stream", "Cache-Control": "no-cache"}
MOST = 2**63 - 1


def id_of(request: Request) -> int:
    return number(request.path_params["id"], "id", 1, MOST)


def number(text: str, name: str, least: int, most: int) -> int:
    if not (text.isascii() and text.isdigit() and least <= int(text) <= most):
        raise HTTPException(400, f"{name}: want a number from {least} to {most}")
    return int(text)


async def body_of(request: Request, key: str, *types: type):
    try:
        value = json.loads(await request.body())
    except ValueError as error:
        raise HTTPException(400, str(error)) from error
    if not isinstance(value, dict) or not isinstance(value.get(key), types):
        raise HTTPException(400, f'want {{"{key}": ...}}')
    return value[key]


def known(row):
    if row is None:
        raise HTTPException(404, "no such thread")
    return row


async def healthz(request: Request) -> Response:
    return Response()


async def create(request: Request) -> Response:
    title = await body_of(request, "title", str)
    return JSONResponse(await request.app.state.threads.create(title), 201)


async def listing(request: Request) -> Response:
    limit = number(request.query_params.get("limit", "20"), "limit", 1, 100)
    before = number(request.query_params.get("before", str(MOST)), "before", 0, MOST)
    return JSONResponse({"threads": await request.app.state.threads.page(limit, before)})


async def read(request: Request) -> Response:
    return JSONResponse(known(await request.app.state.threads.read(id_of(request))))


async def rename(request: Request) -> Response:
    thread = id_of(request)
    title = await body_of(request, "title", str)
    return JSONResponse(known(await request.app.state.threads.rename(thread, title)))


async def remove(request: Request) -> Response:
    known(await request.app.state.threads.remove(id_of(request)))
    return Response(status_code=204)


async def messages(request: Request) -> Response:
    threads, thread = request.app.state.threads, id_of(request)
    rows = await threads.messages(thread)
    if not rows:
        known(await threads.read(thread))
    # The database has each message as JSON.
    text = ",".join(f'{{"id":{id},"message":{message}}}' for id, message in rows)
    return Response(f'{{"messages":[{text}]}}', media_type="application/json")


async def say(request: Request) -> Response:
    state, thread = request.app.state, id_of(request)
    content = await body_of(request, "content", str, list)
    if not await state.threads.lock(thread):
        raise HTTPException(409, "the thread has a run")
    try:
        stored = known(await state.threads.store(thread, [json.dumps({"role": "user", "content": content})]))
        history = [message for _, message in await state.threads.messages(thread)]
    except BaseException:
        await state.threads.unlock(thread)
        raise
    run = Run(thread, state)
    return StreamingResponse(run.answer(stored[0], history), headers=STREAM)


async def events(request: Request) -> Response:
    state, thread = request.app.state, id_of(request)
    known(await state.threads.read(thread))
    subscription = await state.followed.follow(thread, request.headers.get("last-event-id"))
    return StreamingResponse(subscription, headers=STREAM)


async def refused(request: Request, error: HTTPException) -> Response:
    return JSONResponse({"error": error.detail}, error.status_code)


async def unavailable(request: Request, error: Exception) -> Response:
    return JSONResponse({"error": f"database: {error}"}, 503)


@contextlib.asynccontextmanager
async def lifespan(app: Starlette):
    url = os.environ["STUB_URL"]
    app.state.threads = await Threads.open(
        os.environ["DATABASE_URL"], int(os.environ.get("DATABASE_CONNECTIONS", "10"))
    )
    app.state.followed = await Followed.open(os.environ["REDIS_URL"])
    # A model may think for long, and all requests go to one host.
    app.state.client = aiohttp.ClientSession(
        url + "/", connector=aiohttp.TCPConnector(limit=0), timeout=aiohttp.ClientTimeout(total=None)
    )
    yield
    await app.state.client.close()


app = Starlette(
    routes=[
        Route("/healthz", healthz),
        Route("/threads", create, methods=["POST"]),
        Route("/threads", listing),
        Route("/threads/{id}", read),
        Route("/threads/{id}", rename, methods=["PATCH"]),
        Route("/threads/{id}", remove, methods=["DELETE"]),
        Route("/threads/{id}/messages", messages),
        Route("/threads/{id}/messages", say, methods=["POST"]),
        Route("/threads/{id}/events", events),
    ],
    exception_handlers={
        HTTPException: refused,
        **dict.fromkeys(UNAVAILABLE, unavailable),
    },
    lifespan=lifespan,
)


class Server(uvicorn.Server):
    async def shutdown(self, sockets=None):
        app.state.followed.close()  # subscriptions have no end of their own
        await super().shutdown(sockets)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # uvicorn calls it after its own shutdown
    listener = socket.create_server((os.environ["HOST"], int(os.environ["PORT"])), backlog=2048)
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 10_000)
    Server(
        uvicorn.Config(app, loop="uvloop", http="httptools", access_log=False, log_level="error", timeout_keep_alive=75)
    ).run([listener])
