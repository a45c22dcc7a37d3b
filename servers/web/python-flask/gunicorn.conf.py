"""Settings of gunicorn that are not the default, with their reasons in app.py."""

import os

from gevent import monkey

monkey.patch_all()  # before the code is loaded, as gevent asks: https://www.gevent.org/api/gevent.monkey.html

wsgi_app = "app:app"
bind = f"{os.environ['HOST']}:{os.environ['PORT']}"
workers = 8
worker_class = "gevent"
preload_app = True
keepalive = 75
graceful_timeout = 5
loglevel = "error"
control_socket_disable = True


def when_ready(arbiter):
    from app import missing  # gunicorn has loaded it, and starts the workers next

    missing.value = workers


def post_worker_init(worker):
    from app import missing

    with missing.get_lock():
        missing.value -= 1
