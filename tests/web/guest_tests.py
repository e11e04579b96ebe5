"""The page in a frame of another page, and beside other pages (part of page_tests.py)."""
import functools
import http.server
import pathlib
import shutil
import tempfile
import threading
import time
import unittest

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from page import PAGE, Page, Server

READY = "return document.getElementById('cover')?.hidden === true"
FOR_THREADS = {"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp"}


class InFrame(unittest.TestCase):
    """A course with the page in a frame called lab."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)
        shutil.copytree(PAGE, self.root / "lab")
        (self.root / "lab/neighbour.html").write_text("<!doctype html><title>beside</title><p>beside")
        self.page = Page()
        self.browser = self.page.browser

    def tearDown(self):
        self.page.close()
        self.folder.cleanup()

    def course(self, host, body):
        (self.root / "course.html").write_text(f"<!doctype html><title>course</title>{body}")
        self.browser.get("about:blank")
        self.browser.get(host + "course.html")

    def frame(self, address, size=(900, 600), more=""):
        return f'<iframe id="lab" src="{address}" width="{size[0]}" height="{size[1]}" {more}></iframe>'

    def in_frame(self, script, frame="lab"):
        self.browser.switch_to.frame(frame)
        try:
            return self.page.js(script)
        finally:
            self.browser.switch_to.default_content()

    def wait_for(self, frame="lab"):
        self.page.wait(lambda: self.in_frame(READY, frame), 60)

    def place(self, name):
        """Its middle, in the outer page."""
        self.browser.switch_to.frame("lab")
        try:
            self.page.place("status")  # from the next frame on places are noted
            self.page.js("hydrascopePage.module._hydra_move(-1, -1)")
            x, y = self.page.middle(name)
        finally:
            self.browser.switch_to.default_content()
        left, top = self.page.js("""
            const frame = document.getElementById('lab'), box = frame.getBoundingClientRect();
            return [box.x + frame.clientLeft, box.y + frame.clientTop];""")
        return round(left + x), round(top + y)

    def mouse(self, kind, x, y, **more):
        self.browser.execute_cdp_cmd("Input.dispatchMouseEvent", {"type": kind, "x": x, "y": y, **more})

    def click(self, x, y):
        self.mouse("mouseMoved", x, y)
        for kind in ("mousePressed", "mouseReleased"):
            self.mouse(kind, x, y, button="left", clickCount=1)
        time.sleep(0.3)

    def wheel(self, x, y, down):
        self.mouse("mouseWheel", x, y, deltaX=0, deltaY=down)
        time.sleep(0.4)  # the next is another turn


class AsGuest(InFrame):
    """Its own server's guest."""

    def setUp(self):
        super().setUp()
        self.server = Server(folder=self.root, threads=False)
        self.host = self.lab = self.server.url

    def tearDown(self):
        self.server.stop()
        super().tearDown()

    def lab_frame(self, **how):
        return self.frame(self.lab + "lab/", **how)

    def test_a_frame_leaves_keys_and_wheel_to_the_page_around_it(self):
        self.course(self.host, '<body style="height:4000px"><textarea id="note" autofocus></textarea><p>' + self.lab_frame())
        note = self.browser.find_element(By.ID, "note")
        note.send_keys("my note ")
        self.wait_for()
        self.browser.switch_to.active_element.send_keys("remark rr")
        self.assertEqual(note.get_attribute("value"), "my note remark rr")
        self.assertFalse(self.in_frame("return hydrascopePage.unsaved"))
        frame = self.browser.find_element(By.ID, "lab").rect
        x, y = round(frame["x"] + 300), round(frame["y"] + 300)
        self.wheel(x, y, 200)
        self.page.wait(lambda: self.page.js("return scrollY") > 100)
        # Somebody clicks into it: now it has the keyboard.
        self.page.js("scrollTo(0, 0)")
        self.click(x, y)
        self.page.wait(lambda: self.in_frame("return document.activeElement.id") == "keys")
        self.page._chain().send_keys("r").perform()
        self.page.wait(lambda: self.in_frame("return hydrascopePage.unsaved"))
        self.assertEqual(note.get_attribute("value"), "my note remark rr")

    def test_the_wheel_goes_on_around_a_frame_where_nothing_in_it_moves_any_further(self):
        self.course(self.host, '<body style="height:4000px">' + self.lab_frame(size=(1200, 700)))
        self.wait_for()
        x, y = self.place("model/heads/4")  # in the panel, which scrolls
        self.click(x, y)
        self.click(x, y)
        self.wheel(x, y, 100)
        self.assertEqual(self.page.js("return scrollY"), 0)
        self.page.wait(lambda: self.wheel(x, y, 800) or self.page.js("return scrollY") > 0)
        self.page.js("scrollTo(0, 0)")
        self.wheel(x, y, -100)  # back
        self.assertEqual(self.page.js("return scrollY"), 0)

    def test_tab_goes_through_the_parts_of_a_frame_and_leaves_it_at_both_ends(self):
        self.course(self.host, f'<input id="before"><p>{self.lab_frame()}<p><input id="after">')
        self.wait_for()
        self.page.js("document.getElementById('before').focus()")

        def go(to, *keys):
            """Presses them until the outer field has the focus; what was said of the parts on the way."""
            parts = []
            for _ in range(12):
                self.page._chain().send_keys(*keys).perform()
                time.sleep(0.3)
                if self.page.js("return document.activeElement.id") == to:
                    return parts
                self.assertEqual(self.in_frame("return document.activeElement.id"), "keys")
                parts.append(self.in_frame("return document.getElementById('keyboard').textContent"))
            self.fail(f"{to} is not reached: {parts}")

        there = go("after", Keys.TAB)
        self.assertIn("The bar", there[0])
        self.assertEqual(len(set(there)), len(there))
        self.assertGreaterEqual(len(there), 3)  # a frame of this width has its panels closed
        self.assertEqual(self.in_frame("return document.getElementById('keyboard').textContent"), "")
        self.page._chain().key_down(Keys.SHIFT).perform()
        back = go("before", Keys.TAB)
        self.page._chain().key_up(Keys.SHIFT).perform()
        self.assertEqual([text.split(":")[0].split(".")[0] for text in back],
                         [text.split(":")[0].split(".")[0] for text in reversed(there)])

    def test_a_frame_out_of_sight_draws_nothing_and_its_training_waits(self):
        def frames():
            return self.in_frame("return hydrascopePage.loop.frames")

        def frames_within(seconds):
            before = frames()
            time.sleep(seconds)
            return frames() - before

        self.course(self.host, '<body style="height:6000px">' + self.lab_frame(size=(1200, 700)))
        self.wait_for()
        self.page.wait(lambda: frames_within(1) == 0, 60)  # at rest
        self.page.js("scrollTo(0, 3000)")
        self.assertEqual(frames_within(3), 0)
        self.page.js("scrollTo(0, 0)")
        self.click(*self.place("tabs/learn"))
        self.click(*self.place("learn/train"))
        self.page.wait(lambda: frames_within(0.5) > 3)
        self.page.js("scrollTo(0, 3000)")
        time.sleep(0.5)
        self.assertEqual(frames_within(2), 0)
        self.page.js("scrollTo(0, 0)")
        self.page.wait(lambda: "out of sight" in self.in_frame("return document.getElementById('status').textContent"))

    def test_two_frames_of_one_page_have_nothing_of_each_other(self):
        other = self.lab_frame(size=(600, 500)).replace('id="lab"', 'id="other"')
        self.course(self.host, self.lab_frame(size=(600, 500)) + other.replace("src=", "data-src="))
        self.wait_for()
        self.click(300, 300)
        self.page._chain().send_keys("r").perform()
        self.page.wait(lambda: self.in_frame("return hydrascopePage.unsaved"))
        self.page.js("const other = document.getElementById('other'); other.src = other.dataset.src;")
        self.wait_for("other")
        time.sleep(2)
        self.assertFalse(self.in_frame("return hydrascopePage.unsaved", "other"))
        self.assertEqual(self.in_frame("return document.getElementById('keyboard').textContent", "other"), "")  # no question
        self.assertNotEqual(self.in_frame("return document.title"), self.in_frame("return document.title", "other"))

    def test_a_lazy_frame_is_not_loaded_until_it_is_near(self):
        loaded = "return performance.getEntriesByType('resource').filter((entry) => entry.name.endsWith('lab/')).length"
        self.course(self.host, '<div style="height:9000px"></div>' + self.lab_frame(more='loading="lazy"'))
        time.sleep(1)
        self.assertEqual(self.page.js(loaded), 0)
        self.page.js("document.getElementById('lab').scrollIntoView()")
        self.page.wait(lambda: self.page.js(loaded) == 1)
        self.wait_for()
        self.page.wait(lambda: self.in_frame("return hydrascopePage.loop.frames") > 0)

    def test_a_frame_with_a_sandbox_says_what_it_needs(self):
        self.course(self.host, self.lab_frame(more='sandbox="allow-scripts"'))
        self.page.wait(lambda: "allow-same-origin" in self.in_frame("return document.getElementById('what').textContent"))

    def test_what_stands_beside_the_page_is_none_of_its_business(self):
        self.course(self.host, self.lab_frame())
        self.wait_for()
        self.browser.switch_to.frame("lab")
        self.browser.execute_async_script("const [done] = arguments; navigator.serviceWorker.ready.then(() => done())")
        self.page.js("location.href = 'neighbour.html'")
        self.page.wait(lambda: self.page.js("return document.title") == "beside")
        self.assertFalse(self.page.js("return crossOriginIsolated"))
        headers = self.browser.execute_async_script("""
            const [done] = arguments;
            fetch('neighbour.html').then((answer) => done([...answer.headers.keys()]));""")
        self.assertNotIn("cross-origin-embedder-policy", headers)
        kept = self.browser.execute_async_script("""
            const [done] = arguments;
            (async () => {
              const names = await caches.keys();
              const all = await Promise.all(names.map(async (name) => (await (await caches.open(name)).keys()).map((r) => r.url)));
              done(all.flat());
            })();""")
        self.assertFalse([url for url in kept if "neighbour" in url])
        self.assertFalse([url for url in kept if "threads/" in url], kept)  # which this browser has not used


class AsForeignGuest(AsGuest):
    """Another server's guest: the browser keeps the two apart, in a process for each."""

    def setUp(self):
        super().setUp()
        self.host = self.lab.replace("localhost", "127.0.0.1")


class Headers(http.server.SimpleHTTPRequestHandler):
    def end_headers(self):
        for name, value in self.server.headers.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, *_):
        pass


class WithHeaders(InFrame):
    """Two servers of different origins, and what theirs let each other do."""

    def setUp(self):
        super().setUp()
        self.servers = []

    def tearDown(self):
        for server in self.servers:
            server.shutdown()
            server.server_close()
        super().tearDown()

    def serve(self, host, headers):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Headers, directory=str(self.root)))
        server.headers = headers
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.servers.append(server)
        return f"http://{host}:{server.server_port}/"

    def test_a_frame_has_threads_where_both_servers_and_the_frame_allow_them_at_every_visit(self):
        outer = self.serve("127.0.0.1", FOR_THREADS)
        lab = self.serve("localhost", {**FOR_THREADS, "Cross-Origin-Resource-Policy": "cross-origin"})
        for allow, threads in (("", False), ('allow="cross-origin-isolated"', True)):
            for visit in (1, 2):
                with self.subTest(allow=allow, visit=visit):
                    self.course(outer, self.frame(lab + "lab/", more=allow))
                    self.wait_for()
                    self.assertEqual(self.in_frame("return crossOriginIsolated"), threads)
                    self.browser.switch_to.frame("lab")
                    self.browser.execute_async_script("const [done] = arguments; navigator.serviceWorker.ready.then(() => done())")
                    self.browser.switch_to.default_content()

    def test_a_page_that_has_threads_is_a_guest_of_one_that_has_none(self):
        outer = self.serve("127.0.0.1", {})
        lab = self.serve("localhost", FOR_THREADS)
        self.course(outer, self.frame(lab + "lab/"))
        self.wait_for()
        self.assertFalse(self.in_frame("return crossOriginIsolated"))

    def test_a_sandbox_without_an_origin_works_where_the_server_lets_anybody_read_and_forbidden_storage_is_told(self):
        outer = self.serve("127.0.0.1", {})
        lab = self.serve("localhost", {"Access-Control-Allow-Origin": "*"})
        self.course(outer, self.frame(lab + "lab/", more='sandbox="allow-scripts"'))
        self.wait_for()
        self.click(400, 400)
        self.page._chain().send_keys("r").perform()
        self.page.wait(lambda: "not kept for recovery" in self.in_frame("return document.getElementById('status').textContent"))
