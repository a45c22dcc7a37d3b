# Installs the packages of requirements.txt into site-packages, and compiles all code. pip does not compile it:
# its files would hold times and names of temporary directories, so no two builds would be the same. A file with
# the hash of its source stays valid, so the running server writes none.
set -eu
rm -rf site-packages
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile \
	--require-hashes --only-binary=:all: --target site-packages --requirement requirements.txt
python3 -m compileall -q --invalidation-mode checked-hash site-packages
