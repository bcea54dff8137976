"""Stands in for docker-proxy: takes its arguments, listens on a port of the host, and hands connections on."""

import socket
import sys
import threading

flags = dict(zip(sys.argv[1::2], sys.argv[2::2]))


def hand_on(source, sink):
    try:
        while data := source.recv(65536):
            sink.sendall(data)
        sink.shutdown(socket.SHUT_WR)
    except OSError:
        pass


server = socket.create_server((flags["-host-ip"], int(flags["-host-port"])), backlog=128)
print("listening", flush=True)
while True:
    client, _ = server.accept()
    container = socket.create_connection((flags["-container-ip"], int(flags["-container-port"])))
    for pair in ((client, container), (container, client)):
        threading.Thread(target=hand_on, args=pair, daemon=True).start()
