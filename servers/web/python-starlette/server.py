"""python-starlette: Starlette on uvicorn, in one process.

Idiomatic here: coroutines as endpoints, and FileResponse for the file. uvicorn uses uvloop and httptools.
Routes match the encoded path, so an ID may contain %2F. JSON: the standard library's, as in Starlette.

Settings that are not the default:
  - loop and http (default auto): without uvloop or httptools the start fails, and no slower package takes
    their place. https://www.uvicorn.org/settings/#implementation
  - timeout_keep_alive 75 (default 5 s): between requests, clients keep their connections for longer.
    https://www.uvicorn.org/settings/#timeouts
  - timeout_graceful_shutdown 5 (default none): a request that never arrives whole would hold up the end.
    https://www.uvicorn.org/settings/#timeouts
  - log_level error (default info): a request that cannot be read is a warning.
    https://www.uvicorn.org/settings/#logging
  - a handler of SIGTERM: uvicorn raises the signal again after a clean shutdown, and its default action would
    end the process with a status other than 0.
"""

import sys

sys.path.insert(0, "site-packages")  # build.sh puts the packages there

import json
import os
import signal
from urllib.parse import unquote

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route


class EncodedPath:
    """Routes by the path that the client sent. ASGI's path is decoded, so %2F would look like a slash."""

    def __init__(self, app):
        self.app = app

    async def __call__(self, scope, receive, send):
        if scope["type"] == "http":
            scope["path"] = scope["raw_path"].decode("ascii")
        await self.app(scope, receive, send)


async def healthz(request: Request) -> Response:
    return Response()


async def hi(request: Request) -> Response:
    return PlainTextResponse("hi")


async def identity(request: Request) -> Response:
    names = request.query_params.getlist("name")
    text = " ".join([unquote(request.path_params["id"]), *names[:1]])
    return PlainTextResponse(text, headers={"X-Powered-By": "benchmark"})


def refuse(constant: str):
    raise ValueError(f"{constant} is not JSON")


async def echo(request: Request) -> Response:
    try:
        return JSONResponse(json.loads(await request.body(), parse_constant=refuse))
    except (ValueError, RecursionError) as error:  # also of a number that is too large
        return PlainTextResponse(str(error), 400)
    except ClientDisconnect:
        return Response()  # the client has left


async def data(request: Request) -> Response:
    return FileResponse("data.json")


app = Starlette(
    routes=[
        Route("/healthz", healthz),
        Route("/", hi),
        Route("/id/{id}", identity),
        Route("/json", echo, methods=["POST"]),
        Route("/data", data),
    ],
    middleware=[Middleware(EncodedPath)],
)
app.router.redirect_slashes = False  # another path is not found

if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # uvicorn calls it after its own shutdown
    uvicorn.run(
        app,
        host=os.environ["HOST"],
        port=int(os.environ["PORT"]),
        loop="uvloop",
        http="httptools",
        access_log=False,
        log_level="error",
        timeout_keep_alive=75,
        timeout_graceful_shutdown=5,
    )
