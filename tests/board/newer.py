"""A node that speaks version 2 of the wire (docs/wire-format.md): its HELLO on both links, over and over. Arguments: their descriptors."""

from __future__ import annotations

import socket
import struct
import sys
import time
import zlib

VERSION, HELLO, NEWS_BYTES = 2, 2, 12


def check(data: bytes) -> int:
    """The wire's check sum: a CRC-32 that is not inverted at the end."""
    return zlib.crc32(data) ^ 0xFFFFFFFF


def hello() -> bytes:
    """A frame as version 1 would have it, but for the number."""
    head = struct.pack("<BBHHBBH", 0xA5, VERSION << 4 | HELLO, 0, 0, 0, 0, NEWS_BYTES)
    head += struct.pack("<H", check(head) & 0xFFFF)
    body = struct.pack("<IIHH", 0x12345678, 0, 296, 1)
    return head + body + struct.pack("<I", check(head + body))


def main() -> None:
    """Until the launcher ends it."""
    links = [socket.socket(fileno=int(word)) for word in sys.argv[1:3]]
    while True:
        for link in links:
            link.sendall(hello())
            link.setblocking(False)
            try:
                while link.recv(4096):
                    pass
            except BlockingIOError:
                pass
            link.setblocking(True)
        time.sleep(0.1)


if __name__ == "__main__":
    main()
