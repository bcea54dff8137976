"""Stands in for a store: speaks its protocol, and answers after so many milliseconds: `stubs.py STORE MS [one]`.

With `one` it works on one command at a time, whichever connection it came by. It prints the port that it chose."""

import asyncio
import struct
import sys

STORE, WAIT, ONE = sys.argv[1], float(sys.argv[2]) / 1000, "one" in sys.argv[3:]
TURN = asyncio.Lock()


async def work():
    if ONE:
        async with TURN:
            await asyncio.sleep(WAIT)
    else:
        await asyncio.sleep(WAIT)


async def redis(reader, writer):
    """RESP 2: HELLO is refused, so that clients do not expect RESP 3. Commands that are sent together wait together."""
    asked = asyncio.Queue()
    answering = asyncio.create_task(answer_in_turn(asked, writer))
    try:
        await read_commands(reader, asked)
    finally:
        answering.cancel()


async def answer_in_turn(asked, writer):
    while True:
        writer.write(await (await asked.get()))


async def read_commands(reader, asked):
    while head := await reader.readline():
        words = []
        for _ in range(int(head[1:])):
            length = int((await reader.readline())[1:])
            words.append((await reader.readexactly(length + 2))[:-2])
        asked.put_nowait(asyncio.create_task(answer_of_redis(words)))


async def answer_of_redis(words):
    match words[0].upper():
        case b"GET":
            await work()
            return b"$5\r\nvalue\r\n"
        case b"MGET":
            await work()
            return b"*%d\r\n" % (len(words) - 1) + b"$5\r\nvalue\r\n" * (len(words) - 1)
        case b"PING":
            return b"+PONG\r\n"
        case b"HELLO":
            return b"-ERR unknown command 'HELLO'\r\n"
        case _:
            return b"+OK\r\n"


async def postgres(reader, writer):
    """Version 3 of the protocol, without passwords, for simple queries: one row of one text."""
    await reader.readexactly(struct.unpack("!I", await reader.readexactly(4))[0] - 4)
    writer.write(message(b"R", struct.pack("!I", 0)))
    for name, value in ((b"server_version", b"16.0"), (b"client_encoding", b"UTF8")):
        writer.write(message(b"S", name + b"\0" + value + b"\0"))
    writer.write(message(b"K", struct.pack("!II", 1, 1)) + message(b"Z", b"I"))
    while kind := await reader.read(1):
        await reader.readexactly(struct.unpack("!I", await reader.readexactly(4))[0] - 4)
        if kind == b"Q":
            await work()
            column = b"text\0" + struct.pack("!IhIhih", 0, 0, 25, -1, -1, 0)
            row = struct.pack("!hI", 1, 5) + b"value"
            said = [(b"T", struct.pack("!h", 1) + column), (b"D", row), (b"C", b"SELECT 1\0"), (b"Z", b"I")]
            writer.write(b"".join(message(*part) for part in said))


def message(kind, body):
    return kind + struct.pack("!I", len(body) + 4) + body


async def serve(reader, writer):
    try:
        await {"redis": redis, "postgres": postgres}[STORE](reader, writer)
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    finally:
        writer.close()


async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", 0, backlog=512)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


asyncio.run(main())
