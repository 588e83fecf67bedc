#!/usr/bin/env python3
"""An HTTP server that misbehaves as each URL says.

The query of a URL is the script: steps separated by "%7C", each of `name=value` parts joined by "&", percent-encoded. The
first request for a path gets the first step, the next the second; the last one repeats. It prints its port, and ends
when its standard input does. `/log/PATH` returns the requests for a path, as JSON.

    size      how many bytes the resource has        version   which bytes: a number
    etag, modified, date, retry, location             fields of the answer
    status    instead of 200 or 206                  length    what Content-Length claims
    chunked   1: in chunks, without a length         unended   1: without the last chunk
    cut       close after so many bytes              stall     fall silent after so many bytes
    extra     so many bytes more than claimed        pause     milliseconds between single bytes
    ranges    0: ignore Range                        blind     1: ignore If-Range
    range     another Content-Range                 silent    1: never answer
    garbage   1: no HTTP                             echo      1: the request's fields as the body
    bulk      so many kilobytes of other fields
    far       redirect to a path of so many bytes, after `to`, where there are 1000 bytes behind 70 kB of fields
    alert     end TLS with its alert             reset     1: with `cut`, close by a reset
    raw       close without reading the request to its end, before an answer
    coding    Transfer-Encoding                  protocol  instead of HTTP/1.1
    flood     after the head, these bytes without end
    leave     so many milliseconds later, close the connection; then a line on standard output
    unasked   so many milliseconds later another answer, which no request asked for; then a line on standard output

In the environment, ANSWER is a text to send to every request but `/log`, and then to close. TICKETS is the number of TLS
session tickets after a handshake. RESET resets every connection as soon as something has arrived.
"""

import fcntl
import json
import os
import socket
import socketserver
import ssl
import struct
import sys
import termios
import threading
import time
import urllib.parse

PATTERN = bytes((i * 31 + (i >> 8)) & 0xFF for i in range(65536))
requests = {}
lock = threading.Lock()


def content(version, first, last):
    """The bytes `first` to before `last` of a version."""
    shift = (version * 4099) % 65536
    start = (first + shift) % 65536
    count = last - first
    return (PATTERN * ((start + count) // 65536 + 1))[start:start + count]


def say(line):
    """Prints a line, by one call: several threads print."""
    os.write(1, line.encode() + b"\n")


class Handler(socketserver.StreamRequestHandler):
    wbufsize = 0

    def setup(self):
        if "RESET" in os.environ:
            self.request.recv(1, socket.MSG_PEEK)
            self.request.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.request.close()
        if self.server.context:
            self.request = self.server.context.wrap_socket(self.request, server_side=True)
        super().setup()

    def handle(self):
        try:
            while self.one():
                pass
        except OSError:
            pass

    def one(self):
        if self.rfile.peek(1)[:1] == b"\x16":
            # TLS, which this server does not speak.
            self.send(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
            return False
        line = self.rfile.readline().decode("latin-1").split()
        if len(line) != 3:
            return False
        fields = {}
        while True:
            text = self.rfile.readline().decode("latin-1").rstrip("\r\n")
            if not text:
                break
            name, _, value = text.partition(":")
            fields[name.lower()] = value.strip()
        self.rfile.read(int(fields.get("content-length", 0)))
        path, _, query = line[1].partition("?")
        if path.startswith("/log/"):
            with lock:
                body = json.dumps(requests.get(path[4:], [])).encode()
            self.send(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
            return True
        with lock:
            seen = requests.setdefault(path, [])
            seen.append({"method": line[0], "fields": fields, "port": self.client_address[1]})
            number = len(seen)
        steps = query.split("%7C")
        step = dict(urllib.parse.parse_qsl(steps[min(number, len(steps)) - 1], keep_blank_values=True))
        if "far" in step:
            step["location"] = step.get("to", "") + "/" + "x" * int(step["far"]) + "?size=1000&bulk=70"
        if step.get("location") == "itself":
            step["location"] = line[1]
        return self.answer(line[0], step, fields)

    def reset(self):
        # The reader holds the socket open.
        self.rfile.close()
        self.request.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.request.close()

    def send(self, data):
        self.request.sendall(data)

    def wait_for_arrival(self):
        """Waits until the peer's kernel has received everything, which a busy machine may delay; at most 10 s."""
        for _ in range(10_000):
            if self.request.fileno() < 0:
                return
            unsent = fcntl.ioctl(self.request.fileno(), termios.TIOCOUTQ, struct.pack("i", 0))
            if unsent == struct.pack("i", 0):
                return
            time.sleep(0.001)

    def hang(self):
        """Waits until the other side gives up."""
        while self.request.recv(4096):
            pass
        return False

    def answer(self, method, step, fields):
        if step.get("silent"):
            return self.hang()
        if step.get("raw"):
            return False
        if "ANSWER" in os.environ:
            self.send(os.environ["ANSWER"].encode("latin-1"))
            return False
        if step.get("garbage"):
            self.send(b"I speak no HTTP\r\n\r\n" * 10)
            return False
        size = int(step.get("size", 0))
        version = int(step.get("version", 1))
        first, last = 0, size
        status = int(step.get("status", 200))
        head = []
        wanted = fields.get("range", "")
        condition = fields.get("if-range")
        current = (step.get("etag"), step.get("modified"))
        if wanted.startswith("bytes=") and step.get("ranges") != "0" and "status" not in step and (
                condition is None or condition in current or step.get("blind")):
            first = int(wanted[6:].split("-")[0])
            if first >= size:
                status, first, last = 416, 0, 0
                head.append("Content-Range: bytes */%d" % size)
            else:
                status = 206
                head.append("Content-Range: " + step.get("range", "bytes %d-%d/%d" % (first, last - 1, size)))
        for name, field in (("etag", "ETag"), ("modified", "Last-Modified"), ("date", "Date"),
                            ("retry", "Retry-After"), ("location", "Location")):
            if name in step:
                head.append("%s: %s" % (field, step[name]))
        head += ["X-Bulk-%d: %s" % (i, "y" * 1000) for i in range(int(step.get("bulk", 0)))]
        body = json.dumps(fields).encode() if step.get("echo") else content(version, first, last)
        chunked = step.get("chunked")
        extra = int(step.get("extra", 0))
        if "coding" in step:
            head.append("Transfer-Encoding: " + step["coding"])
        if chunked:
            head.append("Transfer-Encoding: chunked")
        elif "unlimited" in step:
            head.append("Connection: close")
        else:
            head.append("Content-Length: %d" % int(step.get("length", len(body))))
        body += b"!" * extra
        protocol = step.get("protocol", "HTTP/1.1")
        self.send(("%s %03d X\r\n%s\r\n\r\n" % (protocol, status, "\r\n".join(head))).encode("latin-1"))
        if method == "HEAD":
            return True
        while "flood" in step:
            self.send(step["flood"].encode() * (262144 // len(step["flood"])))
        return self.body(step, body, chunked)

    def body(self, step, body, chunked):
        end = min(len(body), int(step.get("cut", step.get("stall", len(body)))))
        pause = int(step.get("pause", 0)) / 1000
        piece = 1 if pause else 65536
        for start in range(0, end, piece):
            part = body[start:min(end, start + piece)]
            self.send(b"%x\r\n%s\r\n" % (len(part), part) if chunked else part)
            if pause:
                time.sleep(pause)
        if "stall" in step:
            return self.hang()
        if "alert" in step:
            self.request.unwrap()
        if "reset" in step:
            self.reset()
        if "cut" in step or "unlimited" in step or step.get("unended"):
            return False
        if chunked:
            self.send(b"0\r\n\r\n")
        if "leave" in step:
            time.sleep(int(step["leave"]) / 1000)
            self.request.shutdown(socket.SHUT_RDWR)
            say("left")
            return False
        if "unasked" in step:
            time.sleep(int(step["unasked"]) / 1000)
            self.send(b"HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nunasked")
            self.wait_for_arrival()
            say("unasked")
        return True


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True
    request_queue_size = 128
    context = None

    def handle_error(self, request, address):
        pass


def main():
    server = Server(("127.0.0.1", 0), Handler)
    if len(sys.argv) > 2:
        server.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        server.context.load_cert_chain(sys.argv[1], sys.argv[2])
        server.context.num_tickets = int(os.environ.get("TICKETS", 2))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(server.server_address[1], flush=True)
    sys.stdin.read()


main()
