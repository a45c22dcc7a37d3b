"""A relay with Starlette and uvicorn. Client: httpx.

Settings that are not the default:
  - timeout None (default 5 s): a model may think for longer.
    https://www.python-httpx.org/advanced/timeouts/
  - limits (default 100 connections, idle ones kept for 5 s): each open stream has a
    connection. https://www.python-httpx.org/advanced/resource-limits/
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

import httpx
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

CHAT_URL = os.environ["STUB_URL"] + "/chat/completions"


@contextlib.asynccontextmanager
async def lifespan(app: Starlette):
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=None, keepalive_expiry=75)
    async with httpx.AsyncClient(timeout=None, limits=limits, trust_env=False) as client:
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
    except httpx.HTTPError as error:
        return failure(502, f"upstream: {error!r}")
    if upstream is None:
        return Response()  # the client has left
    if upstream.status_code != 200 or not upstream.headers.get("content-type", "").startswith("text/event-stream"):
        await upstream.aclose()
        return failure(502, f"upstream: status {upstream.status_code}")
    return StreamingResponse(relay(upstream), headers={"Cache-Control": "no-cache"}, media_type="text/event-stream")


async def ask(request: Request, message: str) -> httpx.Response | None:
    """Sends the upstream request. A client that leaves meanwhile cancels it."""
    client: httpx.AsyncClient = request.app.state.client
    body = {"model": "stub", "stream": True, "messages": [{"role": "user", "content": message}]}
    answer = asyncio.ensure_future(client.send(client.build_request("POST", CHAT_URL, json=body), stream=True))
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


async def relay(upstream: httpx.Response):
    try:
        async for chunk in upstream.aiter_raw():
            yield chunk
    finally:
        await upstream.aclose()


def failure(status: int, text: str) -> Response:
    return JSONResponse({"error": text}, status)


app = Starlette(routes=[Route("/healthz", healthz), Route("/chat", chat, methods=["POST"])], lifespan=lifespan)

if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # uvicorn calls it after its own shutdown
    uvicorn.run(app, host="127.0.0.1", port=int(os.environ["PORT"]), log_level="warning", timeout_keep_alive=75)
