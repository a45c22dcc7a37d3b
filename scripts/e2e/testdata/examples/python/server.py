"""A relay with Starlette and uvicorn. Client: aiohttp.

Settings that are not the default:
  - timeout total=None (default 5 min): a model may think for longer.
    https://docs.aiohttp.org/en/stable/client_quickstart.html#timeouts
  - limit 0 (default 100 connections), keepalive_timeout 75 (default 15 s): each open
    stream has a connection. https://docs.aiohttp.org/en/stable/client_reference.html#connectors
  - timeout_keep_alive 75 (default 5 s): the contract asks for 60 s.
    https://www.uvicorn.org/settings/#timeouts
  - a handler of SIGTERM: uvicorn raises the signal again after a clean shutdown,
    and its default action would end the process with a status other than 0.
"""

import asyncio
import contextlib
import os
import signal
import sys

import aiohttp
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

CHAT_URL = os.environ["STUB_URL"] + "/chat/completions"


@contextlib.asynccontextmanager
async def lifespan(app: Starlette):
    connector = aiohttp.TCPConnector(limit=0, keepalive_timeout=75)
    async with aiohttp.ClientSession(connector=connector, timeout=aiohttp.ClientTimeout(total=None)) as client:
        app.state.client = client
        yield


async def healthz(request: Request) -> Response:
    return PlainTextResponse("ok")


async def chat(request: Request) -> Response:
    try:
        message = (await request.json())["message"]
    except (ValueError, TypeError, KeyError):
        message = None
    if not isinstance(message, str):
        return failure(400, 'want {"message": "..."}')
    try:
        upstream = await ask(request, message)
    except aiohttp.ClientError as error:
        return failure(502, f"upstream: {error!r}")
    if upstream is None:
        return Response()  # the client has left
    if upstream.status != 200 or upstream.content_type != "text/event-stream":
        upstream.close()
        return failure(502, f"upstream: status {upstream.status}")
    return StreamingResponse(relay(upstream), headers={"Cache-Control": "no-cache"}, media_type="text/event-stream")


async def ask(request: Request, message: str) -> aiohttp.ClientResponse | None:
    """Sends the upstream request. A client that leaves meanwhile cancels it."""
    client: aiohttp.ClientSession = request.app.state.client
    body = {"model": "stub", "stream": True, "messages": [{"role": "user", "content": message}]}
    answer = asyncio.ensure_future(client.post(CHAT_URL, json=body))
    left = asyncio.ensure_future(disconnected(request))
    await asyncio.wait({answer, left}, return_when=asyncio.FIRST_COMPLETED)
    left.cancel()
    if answer.done():
        return answer.result()
    answer.cancel()
    return None


async def disconnected(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def relay(upstream: aiohttp.ClientResponse):
    async with upstream:  # a client that leaves ends it too
        async for chunk in upstream.content.iter_any():
            yield chunk


def failure(status: int, text: str) -> Response:
    return JSONResponse({"error": text}, status)


app = Starlette(routes=[Route("/healthz", healthz), Route("/chat", chat, methods=["POST"])], lifespan=lifespan)

if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # uvicorn calls it after its own shutdown
    uvicorn.run(app, host=os.environ["HOST"], port=int(os.environ["PORT"]), log_level="warning", timeout_keep_alive=75)
