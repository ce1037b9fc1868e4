"""`pair.py SOCKET PORT`: pairs a device with a board, and prints its ID."""

import http.client
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Kit/Python"))
sys.dont_write_bytecode = True

from kit.varlink import call
from kit.wait import eventually


def code():
    try:
        return call(sys.argv[1], "org.tallymark.Board.Pair", setup=False)["code"]
    except OSError:
        return None


host = f"127.0.0.1:{sys.argv[2]}"
connection = http.client.HTTPConnection(host)
connection.request("POST", "/pair", json.dumps({"code": eventually(code, "the board answers"), "name": "Anna"}), {
    "Origin": f"http://{host}", "Content-Type": "application/json"})
print(connection.getresponse().getheader("Set-Cookie").partition("=")[2].partition(".")[0])
