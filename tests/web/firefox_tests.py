"""What a first hour needs, in Firefox (part of page_tests.py): skipped with a word where there is none."""
import json
import pathlib
import unittest

from firefox import PROGRAM, FirefoxPage
from on_page import PICTURES
from page import Server

ENTER = "\ue007"

try:
    import websocket
except ImportError:
    websocket = None


@unittest.skipUnless(PROGRAM and websocket, "needs firefox-esr and python3-websocket")
class InFirefox(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        cls.page = FirefoxPage()

    @classmethod
    def tearDownClass(cls):
        cls.page.close()
        cls.server.stop()

    def setUp(self):
        self.page.open(self.server.url)
        self.page.js("localStorage.clear()")  # no work of the test before is offered
        self.page.open(self.server.url)

    def test_the_first_picture_is_a_pattern(self):
        left, top, right, bottom = self.page.place("heads/large")
        self.assertGreater(right - left, 150)
        if PICTURES:
            self.page.picture(pathlib.Path(PICTURES) / "firefox.png")

    def test_a_sentence_is_typed(self):
        self.page.click("sentence")
        self.page.keys("a", control=True)
        self.page.keys("the king sees it .", ENTER)
        self.assertEqual(self.page.document()["sentence"], "the king sees it .")

    def test_a_weight_is_dragged_and_the_drag_undone(self):
        self.page.click("tabs/flow")
        before = self.page.document()
        self.page.drag("flow/W_Q", 0, -60)
        dragged = self.page.document()
        self.assertNotEqual(dragged, before)
        self.page.keys("z", control=True)
        self.assertEqual(self.page.document(), before)

    def test_a_link_opens_as_it_was_copied(self):
        self.page.click("tabs/mixing")
        link = self.page.link()
        self.assertIn("&view=mixing", link)
        document = self.page.document()
        self.page.open(link)
        self.assertIn("&view=mixing", self.page.link())
        self.assertEqual(self.page.document(), document)

    def test_a_document_is_saved_as_a_download(self):
        self.page.js("""
            const text = new Blob(['{"hydrascope": 1, "sentence": "one two three"}']);
            hydrascopePage.files.take(new File([text], 'lesson.json'));""")
        self.page.wait(lambda: self.page.document()["sentence"] == "one two three")
        self.page.keys("s", control=True)
        saved = self.page.downloads / "lesson.json"
        self.page.wait(lambda: saved.exists() and saved.stat().st_size > 0)
        self.assertEqual(json.loads(saved.read_text())["sentence"], "one two three")
