"""A server that answers every GET after a fixed time: `waiting_server.py SECONDS`. Prints its port."""

import asyncio
import resource
import sys

DELAY_S = float(sys.argv[1])
RESPONSE = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"


async def serve(reader, writer):
    try:
        while await reader.readuntil(b"\r\n\r\n"):
            await asyncio.sleep(DELAY_S)
            writer.write(RESPONSE)
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()


async def main():
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    server = await asyncio.start_server(serve, "127.0.0.1", 0, backlog=8192)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


asyncio.run(main())
