"""Starts gunicorn, which reads gunicorn.conf.py."""

import sys

sys.path.insert(0, "site-packages")  # build.sh puts the packages there

from gunicorn.app.wsgiapp import run

if __name__ == "__main__":
    run()
