"""An app that attacks the system for as long as it lives. The lines inserted above set `mode`, and `server`, the start of
the URLs of a web server that misbehaves. The app acknowledges its callbacks, so that it lives long."""

import errno, json, os, random, select, signal, socket, struct, sys, threading, time

path = os.environ["ROOST_SOCKET"]
token = os.environ.pop("ROOST_TOKEN", "none")
home = os.environ.get("HOME", "/nonexistent")
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)


def connect():
    connection = socket.socket(socket.AF_UNIX)
    connection.settimeout(10)
    connection.connect(path)
    return connection


def message(method, parameters, **more):
    call = {"method": "roost.App." + method, "parameters": parameters, **more}
    return json.dumps(call).encode() + b"\0"


requests = None


def ask(method, parameters):
    requests.sendall(message(method, parameters, oneway=True))


def answer_callbacks():
    """Acknowledges every callback; connects again if the system has ended."""
    global requests
    while True:
        try:
            callbacks, requests = connect(), connect()
            attach = {"token": token, "lastCallback": 0, "open": [], "phase": "starting"}
            callbacks.sendall(message("Attach", attach, more=True))
            requests.sendall(message("Identify", {"token": token}))
            callbacks.settimeout(None)
            rest = b""
            while more := callbacks.recv(65536):
                *messages, rest = (rest + more).split(b"\0")
                for text in messages:
                    callback = json.loads(text).get("parameters", {}).get("callback")
                    if callback:
                        ask("Acknowledge", {"callback": callback["id"], "open": []})
                        if callback["kind"] == "willTerminate":
                            os._exit(0)
        except (OSError, ValueError, AttributeError):
            pass
        time.sleep(0.2)


def lingering_socket():
    """A TCP socket whose end takes years: unsent data, and a peer that never reads."""
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    listener.bind(("127.0.0.1", 0))
    listener.listen(1)
    sender = socket.socket()
    sender.connect(listener.getsockname())
    sender.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 100_000_000))
    sender.setblocking(False)
    try:
        while True:
            sender.send(b"x" * 65536)
    except BlockingIOError:
        pass
    return listener, sender


def talk_nonsense():
    """Strangers' connections: garbage, halves, depths, floods, and unwanted descriptors."""
    kept, peers = [], []
    while True:
        try:
            connection = connect()
            connection.setblocking(False)
            kind = random.randrange(6)
            if kind == 0:
                connection.send(os.urandom(4096))
            elif kind == 1:
                connection.send(b'{"method":"' + b"x" * 200_000)
            elif kind == 2:
                connection.send(b"[" * 60_000 + b"\0")
            elif kind == 3:
                connection.send(message("Identify", {"token": "0" * 32}) * 200)
            elif kind == 4:
                connection.send(b'{"method":"org.varlink.service.GetInfo","parameters":{}}\0' * 1000)
            else:
                listener, sender = lingering_socket()
                socket.send_fds(connection, [b"{"], [sender.fileno()])
                sender.close()
                peers.append(listener)
            kept.append(connection)
        except OSError:
            time.sleep(0.05)
        # Most are left open, and none is ever read.
        if len(kept) > 200:
            kept.pop(random.randrange(len(kept))).close()
        if len(peers) > 20:
            peers.pop(0).close()
        time.sleep(0.005)


def ask_too_much():
    """Valid requests, as many and as large as possible."""
    number = 0
    while True:
        try:
            number += 1
            name = "n" * 1000
            kind = random.randrange(4)
            if kind == 0:
                for task in range(200):
                    ask("BeginTask", {"task": {"id": number * 1000 + task, "name": name}})
            elif kind == 1:
                notification = {"fireDate": (int(time.time()) + 86400) * 10**9, "alertBody": "b" * 4000}
                for each in range(100):
                    ask("Notification", {"number": number * 100 + each, "kind": "schedule", "notification": notification})
            elif kind == 2:
                for each in range(500):
                    ask("SetIdleTimerDisabled", {"disabled": each % 2 == 0})
            else:
                ask("SetMinimumFetchInterval", {"interval": random.randrange(10**12)})
        except (OSError, AttributeError):
            pass
        time.sleep(0.02)


def download_evil():
    """Downloads from a server that answers badly, with requests as large as possible."""
    # A later launch of this app must not use a task number again, so the first number is random.
    number = random.randrange(1, 2**40)
    networks = {"cellular": True, "expensive": True, "constrained": True}
    configuration = {
        "connectionsPerHost": 6, "fields": [], "isDiscretionary": False, "networks": networks,
        "requestTimeout": 3_000_000_000, "resourceTimeout": 60_000_000_000, "sendsLaunchEvents": True}
    scripts = [
        "status=50&size=1000", "size=1000&length=100000000000", "garbage=1", "size=100000&cut=500", "bulk=2000",
        "silent=1", "size=100000&extra=4096", "status=503", "status=302&location=http%3A//169.254.169.254/",
        "size=1000000&pause=10"]
    while True:
        try:
            # An app may have few sessions, so each is ended before it is used again.
            session = "s%d" % (number // 50 % 4)
            for kind in ("open", "invalidateAndCancel", "open") if number % 50 < 10 else ("open",):
                act = {"kind": kind, "configuration": configuration} if kind == "open" else {"kind": kind}
                ask("Transfer", {"session": session, "act": act})
            for _ in range(10):
                number += 1
                request = {
                    "fields": [{"name": "X", "value": "v" * 20_000}], "method": "GET", "networks": networks,
                    "url": "%s/a%d?%s" % (server, number, random.choice(scripts))}
                ask("Transfer", {"session": session, "act": {"kind": "make", "task": number, "request": request}})
                ask("Transfer", {"session": session, "act": {"kind": "resume", "task": number}})
        except (OSError, AttributeError):
            pass
        time.sleep(0.5)


def fill_the_disk():
    """A log without end, and files that come and go."""
    block = b"y" * 65536
    while True:
        try:
            for _ in range(200):
                os.write(1, block)
            with open(home + "/tmp/large", "wb") as file:
                for _ in range(100):
                    file.write(block)
            os.unlink(home + "/tmp/large")
        except OSError:
            pass
        time.sleep(0.05)


def multiply():
    """Processes that leave their session, burn the processor, and try to leave their cgroup and signal every process."""
    while True:
        try:
            child = os.fork()
            if child == 0:
                os.setsid()
                for victim in range(1, 400):
                    try:
                        # An app must not be able to stop another user's process; it may stop its own.
                        if os.getuid() >= 0x52000000:
                            os.kill(victim, signal.SIGTERM if victim != os.getppid() else 0)
                    except OSError:
                        pass
                try:
                    with open("/sys/fs/cgroup/cgroup.procs", "w") as file:
                        file.write("0")
                except OSError:
                    pass
                end = time.monotonic() + 0.3
                while time.monotonic() < end:
                    pass
                time.sleep(20)
                os._exit(0)
        except OSError:
            pass
        while True:
            try:
                if os.waitpid(-1, os.WNOHANG)[0] == 0:
                    break
            except OSError:
                break
        time.sleep(0.2)


ways = {
    "nonsense": talk_nonsense, "requests": ask_too_much, "downloads": download_evil, "disk": fill_the_disk,
    "processes": multiply}
if token != "none":
    threading.Thread(target=answer_callbacks, daemon=True).start()
ways[mode]()
