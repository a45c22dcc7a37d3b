"""Prints the CPU time of one hash in us, of an empty loop and of the code of a patch by turns."""

import hashlib
import sys
import time

hashing = bytes(int(sys.argv[1]) << 10)
CALLS = 20_000


def measure(call):
    before = time.process_time()
    for _ in range(CALLS):
        call()
    return (time.process_time() - before) * 1e6 / CALLS


def empty():
    pass


def code():
    hashlib.sha256(hashing).digest()


for _ in range(int(sys.argv[2])):
    print(measure(empty), measure(code))
