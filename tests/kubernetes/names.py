"""The cluster's names: answers questions for NAME.NAMESPACE.svc.cluster.local with the addresses of its pods, and knows
no others. names.py ADDRESS TOKEN"""

import json
import socket
import ssl
import struct
import sys
import urllib.request

ADDRESS, TOKEN = sys.argv[1:]
UNVERIFIED = ssl._create_unverified_context()
SUFFIX = ["svc", "cluster", "local"]
NO_SUCH_NAME, TYPE_A, CLASS_IN = 3, 1, 1


def addresses(labels):
    """Addresses behind a headless service; none: there is no such service."""
    if len(labels) != 5 or labels[2:] != SUFFIX:
        return None
    url = f"https://{ADDRESS}:6443/api/v1/namespaces/{labels[1]}/endpoints/{labels[0]}"
    request = urllib.request.Request(url, headers={"Authorization": f"Bearer {TOKEN}"})
    try:
        with urllib.request.urlopen(request, context=UNVERIFIED, timeout=2) as response:
            subsets = json.load(response).get("subsets", [])
    except OSError:
        return None
    return [address["ip"] for subset in subsets for address in subset.get("addresses", [])]


def answer(question):
    """The answer to a packet with one question."""
    labels, at = [], 12
    while question[at]:
        labels.append(question[at + 1 : at + 1 + question[at]].decode().lower())
        at += 1 + question[at]
    end = at + 5
    (kind,) = struct.unpack_from("!H", question, at + 1)
    found = addresses(labels)
    records = [socket.inet_aton(ip) for ip in found or [] if kind == TYPE_A]
    status = NO_SUCH_NAME if found is None else 0
    head = question[:2] + struct.pack("!HHHHH", 0x8480 | status, 1, len(records), 0, 0)
    body = [struct.pack("!HHHIH", 0xC00C, TYPE_A, CLASS_IN, 1, 4) + record for record in records]
    return head + question[12:end] + b"".join(body)


with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
    server.bind((ADDRESS, 53))
    while True:
        question, client = server.recvfrom(512)
        try:
            server.sendto(answer(question), client)
        except (IndexError, struct.error, UnicodeDecodeError):
            pass
