"""The board behind nginx, which speaks TLS, as Documentation/board.md configures it."""

import re
import signal
import subprocess

from kit import ROOT
from kit.process import Listener, free_port
from kit.wait import becomes, equal, eventually

DOCUMENT = ROOT / "Documentation/board.md"
NAME = "board.test"


class Proxy(Listener):
    """nginx with the document's configuration, on another port and with a certificate of its own."""

    def __init__(self, stage):
        port, folder = free_port(), stage.folder / "nginx"
        folder.mkdir()
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={NAME}",
             "-keyout", folder / "key", "-out", folder / "certificate"], check=True, capture_output=True)
        server = re.search(r"```nginx\n(.*?)```", DOCUMENT.read_text(), re.DOTALL)[1]
        for old, new in [("listen 443", f"listen 127.0.0.1:{port}"), ("counts.example.org", NAME), (":8464", f":{stage.port}"),
                         ("/etc/ssl/certs/counts.pem", f"{folder}/certificate"), ("/etc/ssl/private/counts.key", f"{folder}/key")]:
            equal(old in server, True, f"whether the document has {old}")
            server = server.replace(old, new)
        configuration = folder / "nginx.conf"
        paths = "".join(f"{name}_temp_path {folder}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        configuration.write_text(
            f"daemon off; user root; pid {folder}/pid; error_log stderr; events {{}} http {{ access_log off; {paths} {server} }}")
        super().__init__(folder, ["/usr/sbin/nginx", "-p", folder, "-e", "stderr", "-c", configuration], port)

    def close(self):
        # Killed, it would leave its workers.
        if self.is_running:
            self.end(signal.SIGQUIT)


def behind(stage):
    """Starts the board again with the proxy's name, and the proxy."""
    stage.board.end()
    stage.board.command += ["--name", NAME]
    stage.start_board()
    proxy = stage.keep(Proxy(stage))
    proxy.start()
    return proxy


def test_behind_nginx(stage):
    """Behind a proxy with TLS a page follows the counts at once, and a device is paired there and counts."""
    stage.new("people")
    proxy = behind(stage)
    origin = f"https://{NAME}:{proxy.port}"
    page = stage.browser.open(f"{origin}/pair#{stage.code()}")
    eventually(lambda: page.run("return document.querySelector('input') !== null"), "the form is there")
    page.run("document.querySelector('button[type=submit], form button').click()")
    eventually(lambda: page.run("return location.pathname") == "/", "the device is paired")
    page.can_count()
    page.shows("0")
    stage.add("people", 2)
    page.shows("2")
    page.touch(400, 300)
    page.shows("3")
    becomes(lambda: stage.core.value("people"), 3, "the count")
    equal(page.run("return location.origin"), origin, "the page's origin")


def test_incomplete_page_behind_nginx(stage):
    """An incomplete page is not replaced by the proxy's error while the board is away, and is loaded again afterwards."""
    stage.new("people", start=5)
    proxy = behind(stage)
    with stage.browser.without("board.js"):
        page = stage.browser.open(f"https://{NAME}:{proxy.port}/")
        stage.board.end()
        refused = """return document.title.startsWith("502")
            || performance.getEntriesByType("resource").some(one => one.responseStatus === 502)"""
        eventually(lambda: page.run(refused), "the proxy refuses a request of the page")
    stage.board.start()
    page.shows("5")
