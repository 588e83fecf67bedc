"""An app that does as it is told. It tells each callback and when it came, in nanoseconds of CLOCK_MONOTONIC, by a datagram
to `port` of this machine, and counts its callbacks in its container. The line put above this one sets `port`."""

import json, os, socket, sys, time

token = os.environ.pop("ROOST_TOKEN")
counter = os.environ["HOME"] + "/Documents/counter"
news = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
# Nobody may listen any more.
news.connect(("127.0.0.1", port))
last, phase = 0, "starting"
phases = {
    "launch": "rising", "didBecomeActive": "active", "willResignActive": "falling", "didEnterBackground": "background",
    "willEnterForeground": "rising"}


def count():
    """The counter is replaced at once and whole; where the disk is full it stays as it was."""
    try:
        with open(counter) as file:
            number = int(file.read())
    except OSError:
        number = 0
    try:
        with open(counter + ".new", "w") as file:
            file.write(str(number + 1))
            file.flush()
            os.fsync(file.fileno())
        os.rename(counter + ".new", counter)
    except OSError:
        pass


def connect():
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(os.environ["ROOST_SOCKET"])
    return connection


def send(connection, method, parameters, **more):
    call = {"method": "roost.App." + method, "parameters": parameters, **more}
    connection.sendall(json.dumps(call).encode() + b"\0")


def serve():
    global last, phase
    callbacks, requests = connect(), connect()
    send(callbacks, "Attach", {"token": token, "lastCallback": last, "open": [], "phase": phase}, more=True)
    send(requests, "Identify", {"token": token})
    rest = b""
    while more := callbacks.recv(65536):
        *messages, rest = (rest + more).split(b"\0")
        for text in messages:
            callback = json.loads(text).get("parameters", {}).get("callback")
            if not callback:
                continue
            came = time.monotonic_ns()
            if callback["id"] > last:
                try:
                    news.send(b"%s %d" % (callback["kind"].encode(), came))
                except OSError:
                    pass
            last, phase = callback["id"], phases.get(callback["kind"], phase)
            send(requests, "Acknowledge", {"callback": callback["id"], "open": []}, oneway=True)
            if callback["kind"] == "willTerminate":
                sys.exit(0)
            count()


while True:
    try:
        serve()
    except OSError:
        pass
    # The system comes back, or ends this process.
    time.sleep(0.05)
