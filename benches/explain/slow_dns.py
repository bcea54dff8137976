"""A name server that says 127.0.0.1 to every name, after so many milliseconds."""

import socket
import sys
import threading
import time

WAIT = int(sys.argv[1]) / 1000
IPV4 = b"\x00\x01"


def answer(server, query, sender):
    time.sleep(WAIT)
    end = query.index(b"\x00", 12) + 5
    question = query[12:end]
    found = question[-4:-2] == IPV4
    counts = b"\x00\x01" + (b"\x00\x01" if found else b"\x00\x00") + b"\x00\x00\x00\x00"
    record = b"\xc0\x0c\x00\x01\x00\x01\x00\x00\x00\x00\x00\x04\x7f\x00\x00\x01" if found else b""
    server.sendto(query[:2] + b"\x81\x80" + counts + question + record, sender)


with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
    server.bind(("127.0.0.1", 53))
    while True:
        query, sender = server.recvfrom(512)
        threading.Thread(target=answer, args=(server, query, sender), daemon=True).start()
