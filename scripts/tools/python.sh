#!/bin/sh
# Installs the tools of requirements.txt into scripts/bin/python, unless they are there.
set -eu
cd "$(dirname "$0")/.."
# Copied last, so that it means a whole installation of these versions.
! cmp -s tools/requirements.txt bin/python/requirements.txt || exit 0
python3 -m venv --clear bin/python || {
	echo "tools: Python has no venv; on Debian and Ubuntu: apt-get install python3-venv" >&2
	exit 1
}
bin/python/bin/pip install --quiet --disable-pip-version-check --require-hashes --only-binary=:all: --requirement tools/requirements.txt
cp tools/requirements.txt bin/python/
