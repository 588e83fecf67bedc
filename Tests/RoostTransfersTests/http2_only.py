#!/usr/bin/env python3
"""TLS in front of a server that speaks HTTP/2 without it: http2_only.py CERTIFICATE KEY PORT BEHIND

A client that does not offer HTTP/2 in the handshake is refused according to RFC 7301. The program ends when its
standard input does.
"""

import re
import socket
import ssl
import sys
import threading

# The extension with the protocols, of which HTTP/2 comes first: the name alone may also occur in random bytes.
OFFERS_HTTP2 = re.compile(rb"\x00\x10\x00.\x00.\x02h2", re.DOTALL)
NO_APPLICATION_PROTOCOL = bytes([21, 3, 3, 0, 2, 2, 120])


def relay(source, target):
    try:
        while data := source.recv(65536):
            target.sendall(data)
    except OSError:
        pass
    finally:
        for end in (source, target):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


def refuse(client):
    # If bytes stay unread when a socket is closed, the kernel resets the connection, and never sends a lost refusal
    # again.
    try:
        client.sendall(NO_APPLICATION_PROTOCOL)
        client.shutdown(socket.SHUT_WR)
        while client.recv(4096):
            pass
    except OSError:
        pass
    finally:
        client.close()


def serve(client, context, behind):
    # The greeting names the protocols offered, before anything is encrypted.
    if not OFFERS_HTTP2.search(client.recv(4096, socket.MSG_PEEK)):
        refuse(client)
        return
    try:
        secure = context.wrap_socket(client, server_side=True)
    except OSError as error:
        print(f"http2_only.py: a handshake failed: {error}", file=sys.stderr, flush=True)
        return
    server = socket.create_connection(("127.0.0.1", behind))
    threading.Thread(target=relay, args=(server, secure), daemon=True).start()
    relay(secure, server)


def main():
    certificate, key, port, behind = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    context.set_alpn_protocols(["h2"])
    listener = socket.create_server(("127.0.0.1", port))
    print("listening", flush=True)

    def accept():
        while True:
            client, _ = listener.accept()
            threading.Thread(target=serve, args=(client, context, behind), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    sys.stdin.read()


main()
