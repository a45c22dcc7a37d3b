import http.server
import json
import os
import signal

import prices


class Shop(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self):
        name = self.path.removeprefix("/prices/")
        if self.path == "/currency":
            self.answer(200, {"currency": "EUR"})
        elif self.path == name or not name:
            self.answer(404, {"error": "no such thing"})
        else:
            self.answer(200, {"name": name, "cents": prices.price(name)})

    def answer(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 1024
    daemon_threads = True


if __name__ == "__main__":
    server = Server(("127.0.0.1", int(os.environ["PORT"])), Shop)
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    server.serve_forever()
