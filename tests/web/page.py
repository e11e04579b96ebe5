"""The page under test: a server of its own, a browser, and hands that use it by the names of what is on the screen."""
import contextlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = pathlib.Path(os.environ.get("HYDRA_PAGE", ROOT / "build/page"))
PROGRAM = pathlib.Path(os.environ.get("HYDRA_PROGRAM", ROOT / "build/release/hydrascope"))
SIZE = (1280, 800)


def desktop(*arguments, text=True, **more):
    """What the program for the desktop prints."""
    return subprocess.run([PROGRAM, *arguments], check=True, capture_output=True, text=text, **more).stdout


class Server:
    """Serves a folder at a port of its own."""

    def __init__(self, folder=PAGE, threads=True, port=0):
        command = [sys.executable, ROOT / "scripts/serve_page.py", folder, str(port)]
        self.process = subprocess.Popen(command + ([] if threads else ["--without-threads"]), stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()

    def stop(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


def start_browser(downloads, ratio=1):
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--use-gl=angle", "--use-angle=swiftshader",
                 "--enable-unsafe-swiftshader", "--no-first-run", "--disable-background-networking",
                 "--disable-component-update", "--disable-sync", "--disable-quic", "--hide-scrollbars", "--disable-dev-shm-usage",
                 f"--force-device-scale-factor={ratio}", f"--window-size={SIZE[0]},{SIZE[1] + 200}"):
        options.add_argument(flag)
    options.add_experimental_option("prefs", {"download.default_directory": str(downloads), "download.prompt_for_download": False})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    options.set_capability("unhandledPromptBehavior", "ignore")
    browser = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
    browser.set_script_timeout(60)
    return browser


class Page:
    """A browser with the page, and what is done to it."""

    at_first = ""  # what the status line said when the page opened

    def __init__(self, ratio=1):
        self.folder = tempfile.TemporaryDirectory()
        self.downloads = pathlib.Path(self.folder.name)
        self.browser = start_browser(self.downloads, ratio)
        self.ratio = ratio
        self.metrics()

    def close(self):
        self.browser.quit()
        self.folder.cleanup()

    def metrics(self, width=SIZE[0], height=SIZE[1]):
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                     {"width": width, "height": height, "deviceScaleFactor": self.ratio, "mobile": False})

    def js(self, script, *arguments):
        return self.browser.execute_script(script, *arguments)

    def open(self, url):
        self.browser.get("about:blank")
        self.browser.get(url)
        self.wait(lambda: self.js("return document.getElementById('cover')?.hidden === true"), 60)
        self.at_first = self.said()[0] or ""  # a notice goes after some seconds, which a busy machine takes to settle
        self.place("status")
        self.settle()

    def wait(self, holds, seconds=20):
        end = time.monotonic() + seconds
        while not holds():
            if time.monotonic() > end:
                raise AssertionError(f"waited {seconds} s in vain; the page says: {self.said()}; its console: {self.console()}")
            time.sleep(0.02)

    def console(self):
        return [entry["message"] for entry in self.browser.get_log("browser")]

    def frames(self):
        return self.js("return hydrascopePage.loop.frames")

    def settle(self, still=0.25, seconds=30):
        """Until no frame has been drawn for a while."""
        end, before, since = time.monotonic() + seconds, self.frames(), time.monotonic()
        while time.monotonic() - since < still and time.monotonic() < end:
            time.sleep(0.03)
            if self.frames() != before:
                before, since = self.frames(), time.monotonic()

    def times_of_frames(self, act):
        """Milliseconds by the clock of each frame that act brings about, sorted."""
        self.js("""
            const module = hydrascopePage.module, turn = window.untimedTurn ??= module._hydra_turn, times = window.times = [];
            module._hydra_turn = () => {
              const begin = performance.now();
              turn();
              times.push(performance.now() - begin);
            };""")
        act()
        return sorted(self.js("return window.times"))

    def wander(self, steps=40):
        """The pointer goes all over the window."""
        chain = self._chain()
        for k in range(steps):
            self._point(chain, 60 + k * (SIZE[0] - 120) // steps, 120 + k * 37 % (SIZE[1] - 240))
        chain.perform()
        self.settle()

    def said(self):
        return self.js("return [document.getElementById('status')?.textContent, document.getElementById('number')?.textContent,"
                       "document.getElementById('what')?.textContent]")

    def wait_to_hear(self, word, seconds=20):
        """Until the status line has that word, or had it when the page opened."""
        self.wait(lambda: word in self.at_first or word in (self.said()[0] or ""), seconds)

    # --- by name

    def place(self, name):
        """Left, top, right, bottom in CSS pixels; None: not to be seen."""
        return self.js("""
            const m = hydrascopePage.module, name = arguments[0];
            const size = m.lengthBytesUTF8(name) + 1, at = m._malloc(size + 16), text = at + 16;
            m.stringToUTF8(name, text, size);
            const there = m._hydra_place(text, at);
            const ratio = devicePixelRatio;
            const numbers = [...new Float32Array(m.HEAPF32.buffer, at, 4)].map((x) => x / ratio);
            m._free(at);
            if (!there) hydrascopePage.loop.ask(0);
            return there ? numbers : null;""", name)

    def middle(self, name):
        self.wait(lambda: self.place(name) is not None)
        left, top, right, bottom = self.place(name)
        return round((left + right) / 2), round((top + bottom) / 2)

    def _chain(self):
        return ActionChains(self.browser, duration=20)

    def point(self, name):
        self._point(self._chain(), *self.middle(name)).perform()
        self.settle()

    @staticmethod
    def _point(chain, x, y):
        chain.w3c_actions.pointer_action.move_to_location(x, y)
        return chain

    def click(self, name, settle=True):
        self._point(self._chain(), *self.middle(name)).click().perform()
        if settle:
            self.settle()

    def click_at(self, x, y):
        self._point(self._chain(), x, y).click().perform()
        self.settle()

    def drag(self, name, dx, dy):
        x, y = self.middle(name)
        chain = self._point(self._chain(), x, y).click_and_hold()
        for part in range(1, 6):
            self._point(chain, x + dx * part // 5, y + dy * part // 5)
        chain.release().perform()
        self.settle()

    def keys(self, *keys, control=False, shift=False):
        chain = self._chain()
        if control:
            chain.key_down(Keys.CONTROL)
        if shift:
            chain.key_down(Keys.SHIFT)
        for key in keys:
            chain.send_keys(key)
        if shift:
            chain.key_up(Keys.SHIFT)
        if control:
            chain.key_up(Keys.CONTROL)
        chain.perform()
        self.settle()

    # --- the document

    def link(self):
        """As the page copies it."""
        self.browser.execute_cdp_cmd("Browser.grantPermissions", {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]})
        self.keys("c", control=True, shift=True)
        return self.browser.execute_async_script(
            "const [done] = arguments; navigator.clipboard.readText().then(done, (fault) => done(String(fault)))")

    def paste(self, text):
        """As somebody who has copied it elsewhere."""
        self.browser.execute_cdp_cmd("Browser.grantPermissions", {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]})
        self.browser.execute_async_script(
            "const [text, done] = arguments; navigator.clipboard.writeText(text).then(done, done)", text)
        self.keys("v", control=True)
        self.settle()

    def document(self):
        return json.loads(desktop("link", "--document", self.link()))

    def trace(self, document):
        """The trace that the page's program computes of a link, or of a file laid down in it."""
        text = self.js("""
            const m = hydrascopePage.module, text = arguments[0];
            const size = m.lengthBytesUTF8(text) + 1, at = m._malloc(size);
            m.stringToUTF8(text, at, size);
            const answer = m._hydra_trace(at), trace = m.UTF8ToString(answer);
            m._free(at);
            m._free(answer);
            return trace;""", document)
        return json.loads(text)

    def lay(self, name, text):
        self.js("hydrascopePage.module.FS.writeFile('/documents/' + arguments[0], arguments[1])", name, text)

    def picture(self, path):
        self.browser.save_screenshot(str(path))
        return path


def numbers_of(value, path=""):
    """All numbers of a JSON value with their places."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from numbers_of(part, f"{path}/{key}")
    elif isinstance(value, list):
        for k, part in enumerate(value):
            yield from numbers_of(part, f"{path}/{k}")
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield path, float(value)


@contextlib.contextmanager
def served(**how):
    server = Server(**how)
    try:
        yield server
    finally:
        server.stop()
