"""A headless Chromium, driven through Debian's chromedriver with nothing but the standard library."""

import contextlib
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

ARGUMENTS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
]


class BrowserError(Exception):
    """The browser, or the program that drives it, did not do what it was asked."""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Browser:
    """One session; use it in a with statement, so that no process and no file stays behind."""

    def __init__(self, timeout=30):
        self.timeout = timeout
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="surefoot-browser-"))
        self.downloads = self.directory / "downloads"
        self.downloads.mkdir()
        self.session = None
        self.driver = None
        # A proxy from the environment must not see traffic to this machine.
        self.opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

    def __enter__(self):
        try:
            self._start_driver()
            self._start_session()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        if self.session:
            with contextlib.suppress(BrowserError):
                self._request("DELETE", "")
        if self.driver:
            self.driver.terminate()
            try:
                self.driver.wait(5)
            except subprocess.TimeoutExpired:
                self.driver.kill()
                self.driver.wait()
        self._end_leftovers()
        shutil.rmtree(self.directory, ignore_errors=True)

    def _start_driver(self):
        program = shutil.which("chromedriver", path="/usr/bin:" + os.environ.get("PATH", ""))
        if not program:
            raise BrowserError("chromedriver is not installed (Debian package chromium-driver)")
        port = free_port()
        self.root = f"http://127.0.0.1:{port}"
        self.driver = subprocess.Popen([program, f"--port={port}"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + self.timeout
        while True:
            with contextlib.suppress(BrowserError):
                if self._call("GET", "/status")["ready"]:
                    return
            if self.driver.poll() is not None or time.monotonic() > deadline:
                raise BrowserError("chromedriver did not start")
            time.sleep(0.1)

    def _start_session(self):
        options = {"args": [*ARGUMENTS, f"--user-data-dir={self.directory / 'profile'}"]}
        chromium = shutil.which("chromium", path="/usr/bin:" + os.environ.get("PATH", ""))
        if chromium:
            options["binary"] = chromium
        wanted = {"browserName": "chrome", "goog:chromeOptions": options,
                  "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}
        answer = self._call("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        self.session = answer["sessionId"]
        self.cdp("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(self.downloads))
        # The start page of the browser loads parts of its own: leave it and forget what it logged.
        self.open("about:blank")
        for kind in ("browser", "performance"):
            self.log(kind)

    def _end_leftovers(self):
        """Ends what still uses our profile: its name is unique, so nothing else can match."""
        for entry in pathlib.Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if str(self.directory).encode() in (entry / "cmdline").read_bytes():
                    os.kill(int(entry.name), signal.SIGKILL)

    def _call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.root + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with self.opener.open(request, timeout=self.timeout) as response:
                return json.load(response)["value"]
        except urllib.error.HTTPError as error:
            raise BrowserError(json.load(error)["value"]["message"].splitlines()[0]) from error
        except OSError as error:
            raise BrowserError(f"chromedriver: {error}") from error

    def _request(self, method, path, body=None):
        return self._call(method, f"/session/{self.session}{path}", body)

    def open(self, address):
        self._request("POST", "/url", {"url": address})

    def run(self, script, *arguments):
        """Runs the body of a JavaScript function and returns its value."""
        return self._request("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def cdp(self, command, **parameters):
        return self._request("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def log(self, kind):
        """Entries since the last call."""
        return self._request("POST", "/se/log", {"type": kind})

    def resize(self, width, height, dark=False):
        """Sets the viewport; the window itself cannot be made as narrow as a phone."""
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.cdp("Emulation.setEmulatedMedia",
                 features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
