"""python-flask: Flask on gunicorn, with 8 workers of gevent.

Idiomatic here: views that return a Response, and send_file for the file. Routes match the encoded path, so an
ID may contain %2F. JSON: the standard library's, as in Flask. GET /healthz answers when all workers are up.

Settings of Flask that are not the default:
  - MAX_CONTENT_LENGTH 2 MiB (default none), as the other servers.
    https://flask.palletsprojects.com/en/stable/config/#MAX_CONTENT_LENGTH

Settings of gunicorn.conf.py that are not the default, all in https://gunicorn.org/reference/settings/:
  - workers 8 and worker_class gevent (default 1 and sync): a sync worker serves one connection at a time.
  - preload_app: the code is loaded once and not by each worker, and missing is shared by all of them.
  - keepalive 75 (default 2 s): between requests, clients keep their connections for longer.
  - graceful_timeout 5 (default 30 s): a worker waits for idle connections, too.
  - loglevel error (default info): a request that cannot be read is a warning.
  - control_socket_disable: the socket would be in the home directory, shared by all servers.
"""

import json
import multiprocessing
import time
from pathlib import Path
from urllib.parse import unquote

from flask import Flask, Response, abort, request, send_file

missing = multiprocessing.Value("i", 0)  # workers that are not up yet; gunicorn.conf.py counts them

app = Flask(__name__)
app.config["MAX_CONTENT_LENGTH"] = 2 << 20


class EncodedPath:
    """Routes by the path that the client sent. WSGI's path is decoded, so %2F would look like a slash."""

    def __init__(self, wsgi_app):
        self.wsgi_app = wsgi_app

    def __call__(self, environ, start_response):
        environ["PATH_INFO"] = environ["RAW_URI"].partition("?")[0]
        return self.wsgi_app(environ, start_response)


app.wsgi_app = EncodedPath(app.wsgi_app)


@app.get("/healthz")
def healthz():
    while missing.value > 0:  # an error would be asked again at once, and hold up the other workers
        time.sleep(0.005)  # gevent's, so other requests go on
    return Response()


@app.get("/")
def hi():
    return Response("hi", mimetype="text/plain")


@app.get("/id/<encoded>")
def identity(encoded):
    text = " ".join([unquote(encoded), *request.args.getlist("name")[:1]])
    return Response(text, headers={"X-Powered-By": "benchmark"}, mimetype="text/plain")


def refuse(constant):
    raise ValueError(f"{constant} is not JSON")


@app.post("/json")
def echo():
    try:
        value = json.loads(request.get_data(), parse_constant=refuse)
        answer = json.dumps(value, allow_nan=False, ensure_ascii=False, separators=(",", ":")).encode()
    except (ValueError, RecursionError) as error:  # also of a number that is too large
        abort(400, str(error))
    return Response(answer, mimetype="application/json")


@app.get("/data")
def data():
    return send_file(Path("data.json").absolute())  # Flask would begin at its own directory
