#!/usr/bin/env python3
"""Opens a report page from disk in headless Chromium and checks what a reader relies on.

    check_report.py PAGE.html --figures 5
    check_report.py PAGE.html --figures 5 --screenshot page.png --width 360 --dark

Checked: the number of figures; that every chart is drawn, in both themes; that the legend works and every PNG button
saves a picture; no message on the console; no request to the network; no horizontal scrolling at 360 pixels.
Exit status 0 if all is well, else 1.
"""

import argparse
import base64
import json
import pathlib
import signal
import struct
import sys
import time

from webdriver import Browser, BrowserError

PHONE_WIDTH = 360

# A chart has many pixels that differ from its first one, and not all of one colour. A copy is read, because reading a
# chart's own canvas more than once makes the browser warn on the console.
BLANK_CANVASES = """
  const scratch = document.createElement("canvas");
  const copy = scratch.getContext("2d", { willReadFrequently: true });
  return [...document.querySelectorAll("canvas")].filter((canvas) => {
    if (canvas.width === 0 || canvas.height === 0) return true;
    scratch.width = canvas.width;
    scratch.height = canvas.height;
    copy.drawImage(canvas, 0, 0);
    const pixels = new Uint32Array(copy.getImageData(0, 0, canvas.width, canvas.height).data.buffer);
    const colours = new Set();
    let drawn = 0;
    for (let i = 0; i < pixels.length; i += 3) {
      if (pixels[i] === pixels[0]) continue;
      ++drawn;
      colours.add(pixels[i]);
    }
    return drawn < 100 || colours.size < 3;
  }).map((canvas) => canvas.getAttribute("aria-label") ?? "(no label)");
"""

OVERFLOW = """
  const limit = document.documentElement.clientWidth;
  return document.documentElement.scrollWidth > limit
    ? [...document.querySelectorAll("body *")].filter((node) => node.getBoundingClientRect().right > limit + 1)
      .slice(0, 3).map((node) => `${node.tagName.toLowerCase()}.${node.className}`)
    : [];
"""

UNLABELLED = """
  return document.querySelectorAll("canvas:not([role=img]), canvas:not([aria-label]), button:empty").length;
"""


def settle(browser):
    """Lets the page lay itself out after a change of size or theme."""
    browser.cdp("Runtime.evaluate", awaitPromise=True, expression="new Promise((done) => setTimeout("
                "() => requestAnimationFrame(() => requestAnimationFrame(done)), 150))")


def check_figures(browser, expected):
    count = browser.run('return document.querySelectorAll("section.figure").length')
    if count != expected:
        yield f"{count} figure sections instead of {expected}"
    if not browser.run('return document.querySelector("h1").textContent.trim()'):
        yield "the page has no heading"
    if browser.run('return document.querySelectorAll("h1 *, section.figure:not(:has(h2))").length'):
        yield "a heading is missing or holds markup"
    unlabelled = browser.run(UNLABELLED)
    if unlabelled:
        yield f"{unlabelled} charts or buttons without a name"


def check_canvases(browser, where):
    for label in browser.run(BLANK_CANVASES):
        yield f"blank chart ({where}): {label}"


def check_theme(browser):
    """The button changes the page and recolours the charts."""
    state = """const canvas = document.querySelector("canvas");
      return [getComputedStyle(document.body).backgroundColor, canvas ? canvas.toDataURL() : null];"""
    before = browser.run(state)
    browser.run('document.getElementById("theme").click()')
    settle(browser)
    after = browser.run(state)
    if before[0] == after[0]:
        yield "the theme button does not change the page"
    if before[1] and before[1] == after[1]:
        yield "the theme button does not recolour the charts"
    yield from check_canvases(browser, "other theme")
    browser.run('document.getElementById("theme").click()')
    settle(browser)


def check_legend(browser):
    """A legend button changes the charts, and back."""
    state = """const canvas = document.querySelector("section.figure:has(.legend button) canvas");
      return canvas ? canvas.toDataURL() : null;"""
    before = browser.run(state)
    if before is None:
        return
    click = 'document.querySelector(".legend button").click()'
    browser.run(click)
    if browser.run(state) == before:
        yield "a legend button changes nothing"
    browser.run(click)
    if browser.run(state) != before:
        yield "a legend button pressed twice does not restore the chart"


def check_phone(browser, dark):
    browser.resize(PHONE_WIDTH, 740, dark)
    settle(browser)
    for node in browser.run(OVERFLOW):
        yield f"wider than {PHONE_WIDTH} pixels: {node}"
    yield from check_canvases(browser, "phone")


def png_size(path):
    head = path.read_bytes()[:24]
    return struct.unpack(">II", head[16:24]) if head.startswith(b"\x89PNG\r\n\x1a\n") else (0, 0)


def check_exports(browser, keep):
    buttons = browser.run('return document.querySelectorAll("button.export").length')
    for index in range(buttons):
        known = set(browser.downloads.iterdir())
        browser.run('document.querySelectorAll("button.export")[arguments[0]].click()', index)
        saved = wait_for_png(browser.downloads, known)
        if not saved:
            yield f"PNG button {index + 1} saves nothing"
        elif min(png_size(saved)) < 400:
            yield f"{saved.name} is {png_size(saved)[0]} x {png_size(saved)[1]} pixels"
        elif keep:
            keep.mkdir(parents=True, exist_ok=True)
            (keep / saved.name).write_bytes(saved.read_bytes())


def wait_for_png(directory, known, seconds=10):
    """The browser makes an empty file of the name first, so a picture is there when its last chunk is."""
    deadline = time.monotonic() + seconds
    while True:
        new = [path for path in directory.iterdir() if path not in known and path.suffix == ".png"]
        is_late = time.monotonic() > deadline
        if new and (is_late or b"IEND" in new[0].read_bytes()[-8:]):
            return new[0]
        if is_late:
            return None
        time.sleep(0.05)


def check_console(browser):
    for entry in browser.log("browser"):
        yield f"console: {entry['level']}: {entry['message']}"


def check_network(browser):
    for entry in browser.log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] != "Network.requestWillBeSent":
            continue
        address = message["params"]["request"]["url"]
        if not address.startswith(("file:", "data:", "blob:")):
            yield f"network request: {address}"


def screenshot(browser, path, width, dark):
    browser.resize(width, 900, dark)
    settle(browser)
    height = browser.run("return document.documentElement.scrollHeight")
    browser.resize(width, height, dark)  # a picture beyond the viewport would make the charts draw themselves anew
    settle(browser)
    deadline = time.monotonic() + 30
    while browser.run(BLANK_CANVASES) and time.monotonic() < deadline:  # a busy machine draws late
        settle(browser)
    picture = browser.cdp("Page.captureScreenshot",
                          clip={"x": 0, "y": 0, "width": width, "height": height, "scale": 1})
    path.write_bytes(base64.b64decode(picture["data"]))


def check(options):
    problems = []
    with Browser() as browser:
        browser.resize(options.width, 900, options.dark)
        start = time.monotonic()
        browser.open(options.page.resolve().as_uri())
        print(f"{options.page.name}: loaded in {time.monotonic() - start:.1f} s")
        settle(browser)
        problems += check_figures(browser, options.figures)
        problems += check_canvases(browser, "first drawing")
        problems += check_legend(browser)
        problems += check_theme(browser)
        problems += check_exports(browser, options.exports)
        problems += check_phone(browser, options.dark)
        # After the checks that compare pictures: taking one beyond the viewport changes the page's width for a while.
        if options.screenshot:
            screenshot(browser, options.screenshot, options.width, options.dark)
        problems += check_console(browser)
        problems += check_network(browser)
    return problems


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page", type=pathlib.Path)
    parser.add_argument("--figures", type=int, required=True, help="number of figure sections")
    parser.add_argument("--screenshot", type=pathlib.Path, help="write a picture of the whole page")
    parser.add_argument("--width", type=int, default=1280, help="width of the page for the screenshot")
    parser.add_argument("--dark", action="store_true", help="pretend that the system prefers a dark theme")
    parser.add_argument("--exports", type=pathlib.Path, help="keep the pictures that the PNG buttons save here")
    parser.add_argument("--timeout", type=int, default=90, help="seconds until the check gives up")
    return parser.parse_args()


def give_up(*_):
    raise BrowserError("the check took too long")


def main():
    options = arguments()
    if not options.page.is_file():
        print(f"{options.page}: no such file", file=sys.stderr)
        return 1
    signal.signal(signal.SIGALRM, give_up)
    signal.signal(signal.SIGTERM, give_up)
    signal.alarm(options.timeout)
    try:
        problems = check(options)
    except BrowserError as error:
        problems = [str(error)]
    for problem in problems:
        print(f"{options.page.name}: {problem}", file=sys.stderr)
    if not problems:
        print(f"{options.page.name}: all checks passed")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
