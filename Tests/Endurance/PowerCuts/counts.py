"""`counts.py SOCKET NUMBER`: counts so often, one after the other, and prints each count that was acknowledged."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Kit/Python"))
sys.dont_write_bytecode = True

from kit.varlink import Connection

with Connection(sys.argv[1]) as connection:
    for _ in range(int(sys.argv[2])):
        connection.send("Add", counter="a")
        print(connection.receive()["event"]["value"], "a", flush=True)
