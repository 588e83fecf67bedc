"""A well-behaved app. It reports each callback and its time, in nanoseconds of CLOCK_MONOTONIC, by a datagram to `port` of
this machine, and counts its callbacks in its container. The line inserted above sets `port`."""

import ctypes, json, os, select, socket, sys, time

token = os.environ.pop("ROOST_TOKEN")
counter = os.environ["HOME"] + "/Documents/counter"
news = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
# The test may no longer listen.
news.connect(("127.0.0.1", port))
last, phase = 0, "starting"
phases = {
    "launch": "rising", "didBecomeActive": "active", "willResignActive": "falling", "didEnterBackground": "background",
    "willEnterForeground": "rising"}


def count():
    """Replaces the counter atomically; on a full disk it stays as it was."""
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


def watch_socket_directory():
    """An inotify descriptor, readable when a socket is made or changed in the directory of ROOST_SOCKET."""
    libc = ctypes.CDLL(None, use_errno=True)
    descriptor = libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
    in_attrib, in_moved_to, in_create = 0x4, 0x80, 0x100
    directory = os.path.dirname(os.environ["ROOST_SOCKET"]).encode()
    if descriptor < 0 or libc.inotify_add_watch(descriptor, directory, in_attrib | in_moved_to | in_create) < 0:
        raise OSError(ctypes.get_errno(), "cannot watch the socket's directory")
    return descriptor


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


watch = watch_socket_directory()
# The supervisor listens a moment after the socket appears: this many attempts, 2 ms apart, follow each change.
attempts = 0
while True:
    try:
        serve()
        attempts = 25
    except OSError:
        attempts -= 1
    if select.select([watch], [], [], 0.002 if attempts > 0 else 0.05)[0]:
        os.read(watch, 65536)
        attempts = 25
