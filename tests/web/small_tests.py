"""The page on telephones and tablets, behind other tabs, and with servers that take their time (part of page_tests.py)."""
import contextlib
import functools
import http.server
import threading
import time
import unittest

from on_page import OnPage, PICTURES
from page import PAGE, Page


class OnSmallScreens(OnPage):
    threads = False

    def pretend(self, width, height, ratio=1, mobile=False):
        self.page.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": ratio, "mobile": mobile})

    def small(self, width, height, ratio=1, mobile=False):
        self.pretend(width, height, ratio, mobile)
        self.page.browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": mobile})
        self.fresh()
        if PICTURES:
            self.page.browser.save_screenshot(f"{PICTURES}/page_{width}x{height}.png")

    def tearDown(self):
        self.page.browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})
        self.page.metrics()

    def touch(self, kind, *points):
        self.page.browser.execute_cdp_cmd("Input.dispatchTouchEvent", {
            "type": kind, "touchPoints": [{"x": x, "y": y, "id": k} for k, (x, y) in enumerate(points)]})
        time.sleep(0.05)

    def test_the_first_screen_is_a_pattern_with_its_words(self):
        for width, height in ((360, 740), (390, 844), (820, 1180), (683, 400), (1366, 768)):
            with self.subTest(width=width):
                self.small(width, height, mobile=width < 400)
                left, top, right, bottom = self.page.place("heads/large")
                self.assertGreater(right - left, 100)
                self.assertLessEqual(right, width)
                if height > 500:
                    self.assertLessEqual(bottom, height)
                self.assertIsNone(self.page.place("model/d_model") if width < 900 else None)

    def test_pixels_that_developers_tools_pretend_are_those_of_the_screen(self):
        def size_of_bar():
            left, top, right, bottom = self.page.place("tabs/flow")
            return right - left, bottom - top

        self.small(390, 844, mobile=True)
        usual = size_of_bar()
        for ratio in (2, 3):
            with self.subTest(ratio=ratio):
                self.small(390, 844, ratio, mobile=True)
                self.assertEqual(self.page.js("return [canvas.width, canvas.height]"), [390 * ratio, 844 * ratio])
                for now, then in zip(size_of_bar(), usual):
                    self.assertAlmostEqual(now, then, delta=2)
                if PICTURES:
                    self.page.browser.save_screenshot(f"{PICTURES}/page_390x844_{ratio}.png")
        self.pretend(390, 844, 1, mobile=True)  # another screen for the same window, on which somebody goes on
        self.page.js("hydrascopePage.loop.ask(0)")
        self.page.wait(lambda: self.page.js("return canvas.width") == 390)
        self.page.settle()
        self.assertEqual(size_of_bar(), usual)

    def test_what_has_no_room_in_the_bar_is_behind_its_last_button_and_panels_come_when_called(self):
        self.small(390, 844, mobile=True)
        for name in ("tabs/flow", "panels/model", "tabs/more"):
            left, top, right, bottom = self.page.place(name)
            self.assertGreaterEqual(bottom - top, 43.5, name)
        self.assertIsNone(self.page.place("tabs/learn"))
        self.page.click("tabs/more")
        self.page.click("tabs/learn")
        self.assertIn("&view=learn", self.page.link())
        self.page.click("panels/model")
        self.assertIsNotNone(self.page.place("model/heads/4"))

    def test_a_finger_drags_a_number_and_else_moves_the_view(self):
        self.small(390, 844, mobile=True)
        x, y = self.page.middle("tabs/flow")
        self.touch("touchStart", (x, y))
        self.touch("touchEnd")
        self.page.settle()
        self.assertIn("&view=flow", self.page.link())
        before = self.page.document()
        left = self.page.place("flow/X")[0]
        x, y = self.page.middle("flow/Q")  # computed: nothing to be dragged: the view moves
        self.touch("touchStart", (x, y))
        for k in range(1, 8):
            self.touch("touchMove", (x - 10 * k, y))
        self.touch("touchEnd")
        self.page.settle()
        self.assertLess((self.page.place("flow/X") or [-1000])[0], left)
        self.assertEqual(self.page.document(), before)
        x, y = self.page.middle("flow/W_O")
        self.touch("touchStart", (x, y))
        for k in range(1, 8):
            self.touch("touchMove", (x, y - 8 * k))
        self.touch("touchEnd")
        self.page.settle()
        self.assertNotEqual(self.page.document(), before)


class Slow(http.server.SimpleHTTPRequestHandler):
    """Serves the page; slow.json after a while."""

    def do_GET(self):
        if "slow.json" in self.path:
            self.server.waits.wait(20)
        with contextlib.suppress(BrokenPipeError):  # it was left
            super().do_GET()

    def log_message(self, *_):
        pass


class WhatTakesTime(unittest.TestCase):
    def setUp(self):
        self.server = http.server.ThreadingHTTPServer(("localhost", 0), functools.partial(Slow, directory=str(PAGE)))
        self.server.waits = threading.Event()
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://localhost:{self.server.server_port}/"
        self.page = Page()

    def tearDown(self):
        self.server.waits.set()
        self.page.close()
        self.server.shutdown()
        self.server.server_close()

    def waits(self):
        return self.page.js("const p = document.getElementById('waits'); return p.hidden ? '' : p.textContent")

    def test_a_slow_file_is_waited_for_aloud_and_can_be_left(self):
        self.page.open(self.url + "#url=slow.json")
        self.page.wait(lambda: "Waiting for slow.json" in self.waits())
        self.page.js("document.querySelector('#waits button').click()")
        self.page.wait(lambda: self.waits() == "")
        self.page.wait(lambda: any("was not waited for" in (text or "") for text in self.page.said()))

    def test_training_waits_while_the_page_is_out_of_sight_and_says_so(self):
        self.page.open(self.url)
        self.page.click("tabs/learn")
        self.page.click("learn/train")
        self.page.wait(lambda: self.page.place("learn/pause") is not None)
        here = self.page.browser.current_window_handle
        self.page.browser.switch_to.new_window("tab")
        there = self.page.browser.current_window_handle
        time.sleep(1)
        self.page.browser.switch_to.window(there)
        self.page.browser.close()
        self.page.browser.switch_to.window(here)
        self.page.wait(lambda: any("out of sight" in (text or "") for text in self.page.said()))

    def test_a_file_that_is_too_large_is_refused_before_it_is_read(self):
        self.page.open(self.url)
        self.page.js("hydrascopePage.files.take({ name: 'large.json', size: 3e8, arrayBuffer() { throw new Error('read'); } })")
        self.page.wait(lambda: any("large.json has 286 MiB" in (text or "") for text in self.page.said()))

    def test_a_file_that_was_opened_is_let_go(self):
        self.page.open(self.url)
        self.page.js("""
            const text = new Blob(['{"hydrascope": 1, "sentence": "one two three"}']);
            hydrascopePage.files.take(new File([text], 'small.json'));""")
        self.page.wait(lambda: self.page.document()["sentence"] == "one two three")
        self.assertFalse(self.page.js("return hydrascopePage.module.FS.analyzePath('/documents/small.json').exists"))
