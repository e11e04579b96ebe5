"""The page in Firefox, by WebDriver BiDi, which Firefox speaks itself: no other program is between."""
import itertools
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile

from page import SIZE, Page

PROGRAM = shutil.which("firefox-esr") or shutil.which("firefox")
PREFERENCES = {
    "browser.download.folderList": 2, "browser.download.always_ask_before_handling_new_types": False,
    "browser.helperApps.neverAsk.saveToDisk": "application/json", "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False, "app.normandy.enabled": False, "toolkit.telemetry.enabled": False,
    "webgl.force-enabled": True, "browser.tabs.remote.autostart": True, "remote.active-protocols": 1,
}
CONTROL, SHIFT = "\ue009", "\ue008"


class Firefox:
    """One window, its commands, and what they give."""

    def __init__(self, profile, downloads):
        import websocket
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});"
                 for name, value in {**PREFERENCES, "browser.download.dir": str(downloads)}.items()]
        (profile / "user.js").write_text("\n".join(lines))
        self.process = subprocess.Popen(
            ["xvfb-run", "-a", "-s", f"-screen 0 {SIZE[0]}x{SIZE[1] + 200}x24", PROGRAM, "--no-remote", "--profile", str(profile), "--remote-debugging-port", "0",
             "--width", str(SIZE[0]), "--height", str(SIZE[1] + 100)],
            stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, start_new_session=True,
            env={**os.environ, "LIBGL_ALWAYS_SOFTWARE": "1"})  # without a screen Firefox has no WebGL
        for line in self.process.stderr:
            if address := re.search(r"BiDi listening on (ws://\S+)", line):
                break
        else:
            raise AssertionError("Firefox did not begin")
        self.socket = websocket.create_connection(address.group(1) + "/session", timeout=60, suppress_origin=True)
        self.numbers = itertools.count(1)
        self.ask("session.new", capabilities={})
        self.context = self.ask("browsingContext.getTree")["contexts"][0]["context"]
        self.ask("browsingContext.setViewport", context=self.context, viewport={"width": SIZE[0], "height": SIZE[1]})

    def ask(self, method, **parameters):
        number = next(self.numbers)
        self.socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self.socket.recv())
            if answer.get("id") != number:
                continue  # an event
            if answer["type"] == "error":
                raise AssertionError(f"{method}: {answer['error']}: {answer['message']}")
            return answer["result"]

    def quit(self):
        self.socket.close()
        os.killpg(self.process.pid, signal.SIGTERM)
        self.process.wait()
        self.process.stderr.close()


class FirefoxPage(Page):
    """The hands of Page, by this protocol."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.downloads = pathlib.Path(self.folder.name) / "downloads"
        profile = pathlib.Path(self.folder.name) / "profile"
        self.downloads.mkdir()
        profile.mkdir()
        self.firefox = Firefox(profile, self.downloads)

    def close(self):
        self.firefox.quit()
        self.folder.cleanup()

    def js(self, script, *arguments):
        body = f"JSON.stringify((function() {{ {script} }}).apply(null, {json.dumps(arguments)}) ?? null)"
        answer = self.firefox.ask("script.evaluate", expression=body, target={"context": self.firefox.context}, awaitPromise=True)
        if answer["type"] == "exception":
            raise AssertionError(answer["exceptionDetails"]["text"])
        return json.loads(answer["result"]["value"])

    def console(self):
        return []

    def go(self, url):
        self.firefox.ask("browsingContext.navigate", context=self.firefox.context, url=url, wait="complete")

    def open(self, url):
        self.go("about:blank")
        self.go(url)
        self.wait(lambda: self.js("return document.getElementById('cover')?.hidden === true"), 120)
        self.js("window.copied = ''; navigator.clipboard.writeText = async (text) => void (window.copied = text);")
        self.place("status")
        self.settle()

    def act(self, kind, actions):
        more = {"parameters": {"pointerType": "mouse"}} if kind == "pointer" else {}
        self.firefox.ask("input.performActions", context=self.firefox.context,
                         actions=[{"type": kind, "id": kind, "actions": actions, **more}])
        self.settle()

    @staticmethod
    def at(x, y):
        return {"type": "pointerMove", "x": round(x), "y": round(y)}

    def click(self, name, settle=True):
        self.act("pointer", [self.at(*self.middle(name)), {"type": "pointerDown", "button": 0}, {"type": "pause", "duration": 60},
                             {"type": "pointerUp", "button": 0}])

    def drag(self, name, dx, dy):
        x, y = self.middle(name)
        actions = [self.at(x, y), {"type": "pause", "duration": 60}, {"type": "pointerDown", "button": 0}]
        for part in range(1, 6):
            actions += [self.at(x + dx * part / 5, y + dy * part / 5), {"type": "pause", "duration": 40}]
        self.act("pointer", actions + [{"type": "pointerUp", "button": 0}])

    def keys(self, *keys, control=False, shift=False):
        held = [key for key, wanted in ((CONTROL, control), (SHIFT, shift)) if wanted]
        actions = [{"type": "keyDown", "value": key} for key in held]
        for key in "".join(keys):
            actions += [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
        self.act("key", actions + [{"type": "keyUp", "value": key} for key in reversed(held)])

    def link(self):
        self.keys("c", control=True, shift=True)
        return self.js("return window.copied")

    def picture(self, path):
        import base64
        shot = self.firefox.ask("browsingContext.captureScreenshot", context=self.firefox.context)
        path.write_bytes(base64.b64decode(shot["data"]))
        return path
