import time


def price(name):
    """Return the price of a thing in the shop, in cents. It takes the CPU 2 ms."""
    until = time.thread_time() + 0.002
    while time.thread_time() < until:
        pass
    return len(name) * 100
