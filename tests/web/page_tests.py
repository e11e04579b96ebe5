"""The page in a real browser, held against the program for the desktop (scripts/test --web).

Environment: HYDRA_PAGE, its folder; HYDRA_PROGRAM, the program for the desktop; HYDRA_NODE_MODULES, where npm has put axe-core,
without which one test is skipped.
"""
import gzip
import json
import os
import pathlib
import shutil
import sys
import tempfile
import time
import unittest

from PIL import Image, ImageChops, ImageStat
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from on_page import PICTURES, OnPage
from page import PAGE, ROOT, SIZE, Page, Server, desktop, served
from firefox_tests import InFirefox  # noqa: F401: tests of this run
from guest_tests import AsForeignGuest, AsGuest, WithHeaders  # noqa: F401: tests of this run
from small_tests import OnSmallScreens, WhatTakesTime  # noqa: F401: tests of this run

DOCUMENTS = sorted((ROOT / "assets/documents").glob("*.json"))
VIEWS = ("flow", "heads", "mixing", "stream", "likeness", "tradeoff", "roles", "design")


def small_documents():
    return [path for path in DOCUMENTS if path.stat().st_size < 40000]


class Use:
    """What a class does, with threads and without."""

    def test_the_variant_is_the_one_that_the_server_allows(self):
        page = Page()  # never here before
        try:
            page.open(self.url())
            self.assertEqual(page.js("return crossOriginIsolated"), self.threads)
            loaded = page.js("return performance.getEntriesByType('resource').map((entry) => entry.name)")
            variant = "threads/" if self.threads else "turns/"
            self.assertTrue(any(variant + "hydrascope.wasm" in name for name in loaded), loaded)
        finally:
            page.close()

    def test_a_sentence_is_typed(self):
        self.fresh(desktop("link", str(ROOT / "assets/documents/two_heads_by_hand.json")).strip())
        self.page.keys("s")
        self.page.keys("a", control=True)
        self.page.keys("The dog saw a cat", Keys.ENTER)
        self.assertEqual(self.page.document()["sentence"], "The dog saw a cat")

    def test_a_weight_is_dragged_and_the_drag_undone(self):
        self.fresh(desktop("link", str(ROOT / "assets/documents/two_heads_by_hand.json")).strip())
        before = self.page.document()
        self.page.click("tabs/flow")
        self.page.click("flow/W_Q")
        self.page.drag("inspector/cell/1,1", 0, -40)
        after = self.page.document()
        self.assertNotEqual(after, before)
        link = self.page.link()
        self.assert_close(self.page.trace(link), json.loads(desktop("trace", link)))
        self.page.keys("z", control=True)
        self.assertEqual(self.page.document(), before)

    def test_frames_are_drawn_where_the_pointer_goes_and_a_weight_is_dragged(self):
        """Prints how long they take: no time is asserted."""
        def tell(what, times):
            self.assertGreater(len(times), 10, what)
            print(f"\n  {what}: {len(times)} frames, median {times[len(times) // 2]:.1f} ms, 95 of 100 within "
                  f"{times[len(times) * 95 // 100]:.1f}, longest {times[-1]:.1f}", file=sys.stderr)

        self.fresh()
        print(f"\n  the first picture was there after {self.page.js('return hydrascopePage.loop.first'):.0f} ms", file=sys.stderr)
        self.page.keys(Keys.ESCAPE)
        for view in VIEWS:
            self.page.click(f"tabs/{view}")
            tell(view, self.page.times_of_frames(self.page.wander))
        self.fresh(desktop("link", str(ROOT / "assets/documents/two_heads_by_hand.json")).strip())
        self.page.click("tabs/flow")
        self.page.click("flow/W_Q")
        tell("a weight is dragged", self.page.times_of_frames(
            lambda: [self.page.drag("inspector/cell/1,1", 0, dy) for dy in (-40, 40, -40, 40)]))

    def test_training_leaves_the_page_alive(self):
        self.fresh()
        self.page.keys(Keys.ESCAPE)
        self.page.click("tabs/learn")
        frames = self.page.frames()
        self.page.click("learn/train", settle=False)  # it draws as long as it trains
        longest = self.page.browser.execute_async_script("""
            const [done] = arguments;
            let longest = 0, last = performance.now(), end = last + 4000;
            const tick = () => {
              const now = performance.now();
              longest = Math.max(longest, now - last);
              last = now;
              if (now < end) setTimeout(tick); else done(longest);
            };
            tick();""")
        print(f"\n  while it trained the page stood still for {longest:.0f} ms at most", file=sys.stderr)
        self.assertGreater(self.page.frames() - frames, 10)
        if self.page.place("learn/pause"):
            self.page.click("learn/pause")


class WithThreads(Use, OnPage):
    threads = True


class WithoutThreads(Use, OnPage):
    threads = False


class Numbers(OnPage):
    def test_every_shipped_document_has_the_desktops_trace(self):
        self.fresh()
        worst = 0
        for path in DOCUMENTS:
            with self.subTest(path.name):
                self.page.lay(path.name, path.read_text())
                worst = max(worst, self.assert_close(self.page.trace(path.name), json.loads(desktop("trace", str(path)))))
        print(f"\n  the worst number of {len(DOCUMENTS)} traces differs by {worst:.2g}", file=sys.stderr)

    def test_every_view_is_the_desktops_picture(self):
        path = ROOT / "assets/documents/two_heads_by_hand.json"
        link = desktop("link", str(path)).strip()
        for view in VIEWS:
            with self.subTest(view), tempfile.TemporaryDirectory() as folder:
                folder = pathlib.Path(PICTURES or folder)
                self.fresh(f"{link}&view={view}")
                self.page.settle(1.5)  # what heads do is measured in the background
                if view == "tradeoff":  # thirty fits, for a minute or more
                    self.page.wait(lambda: self.page.place("tradeoff/fit/stop") is None, 900)
                    self.page.settle(1.5)
                ours = Image.open(self.page.picture(folder / f"page_{view}.png")).convert("RGB")
                theirs = folder / f"desktop_{view}.png"
                desktop("render", "--view", view, "--size", f"{SIZE[0]}x{SIZE[1]}", "--out", str(theirs), link)
                difference = ImageChops.difference(ours, Image.open(theirs).convert("RGB"))
                mean = sum(ImageStat.Stat(difference).mean) / 3
                print(f"\n  {view}: the pictures differ by {mean:.2f} of 255 in the mean", file=sys.stderr)
                self.assertLess(mean, 4)


class Links(OnPage):
    def test_a_link_opens_and_is_copied_as_it_was(self):
        for path in small_documents():
            with self.subTest(path.name):
                link = desktop("link", "--view", "heads", str(path)).strip()
                self.fresh(link)
                copied = self.page.link()
                self.assertTrue(copied.startswith(self.server.url + "#d="), copied[:80])
                self.assertEqual(json.loads(desktop("link", "--document", copied)), json.loads(desktop("link", "--document", link)))
                self.assertIn("&view=heads", copied)

    def test_a_link_names_a_file_beside_the_page(self):
        folder = pathlib.Path(tempfile.mkdtemp())
        shutil.copytree(PAGE, folder / "page")
        shutil.copy(ROOT / "assets/documents/stack_king_weak.json", folder / "page/lesson.json")
        with served(folder=folder / "page") as server:
            self.page.open(server.url + "#url=lesson.json&view=stream&layer=2")
            copied = self.page.link()
            self.assertIn("&view=stream", copied)
            self.assertIn("&layer=2", copied)
            self.assertEqual(json.loads(desktop("link", "--document", copied)),
                             json.loads(desktop("link", "--document", str(ROOT / "assets/documents/stack_king_weak.json"))))
            self.page.open(server.url + "#url=nowhere.json")
            self.page.wait_to_hear("nowhere.json: ")
            self.page.wait_to_hear("404")
        shutil.rmtree(folder)

    def test_a_link_that_changes_an_example_beside_the_page_fetches_it(self):
        path = str(ROOT / "assets/documents/trained_induction.json")
        link = desktop("link", "--view", "mixing", "--set", "/layers/0/gates=[0,1]", path).strip()
        self.assertIn("&of=trained_induction.json-", link)
        whole = json.loads(desktop("link", "--document", link))

        def paste():
            self.fresh()
            self.page.paste(link)
        for way, open_it in (("in the address", lambda: self.fresh(link)), ("pasted", paste)):
            with self.subTest(way):
                open_it()
                self.page.settle()
                self.page.wait(lambda: "&of=trained_induction.json-" in self.page.link())
                copied = self.page.link()
                self.assertIn("&view=mixing", copied)
                self.assertEqual(json.loads(desktop("link", "--document", copied)), whole)
        other = link.replace("&of=trained_induction.json-", "&of=trained_induction.json-0")
        self.fresh(other)
        self.page.settle()
        self.page.wait_to_hear("another version")

    def test_an_example_beside_the_page_is_opened_from_the_menu(self):
        self.fresh()
        for keys in ("y", Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ARROW_RIGHT, Keys.ENTER):  # Trained models, the first
            self.page.keys(keys)
            self.page.settle()
        copied = self.page.link()
        self.assertIn("&of=trained_induction.json-", copied)
        self.assertLess(len(copied), 200)
        self.assertEqual(json.loads(desktop("link", "--document", copied)),
                         json.loads((ROOT / "assets/documents/trained_induction.json").read_text()))

    def test_a_bad_link_says_so_and_leaves_the_opening_document(self):
        self.fresh()
        opening = self.page.js("return document.title")
        good = desktop("link", str(ROOT / "assets/documents/slices.json")).strip()
        newer = json.loads(desktop("link", "--document", good))
        newer["hydrascope"] = 99
        for bad, word in ((good[:90], "cut"), ("#d=" + "x" * 30, "link"), ("#d=!" + good[4:], "character"), ("#d=", "link")):
            with self.subTest(bad[:12]):
                self.fresh(bad)
                self.page.wait_to_hear(word)
                self.assertEqual(self.page.js("return document.title"), opening)

    def test_a_link_is_pasted(self):
        self.fresh()
        link = desktop("link", str(ROOT / "assets/documents/slices.json")).strip()
        self.page.paste(link)
        self.assertEqual(self.page.document(), json.loads(desktop("link", "--document", link)))


class Wording(OnPage):
    def test_it_speaks_by_a_table_beside_the_page_and_says_what_is_wrong_with_one(self):
        folder = pathlib.Path(tempfile.mkdtemp())
        shutil.copytree(PAGE, folder / "page")
        table = {"language": "Deutsch", "forms": "one, other",
                 "frame": {"link.copied.of_page": "Kopiert: ein Link von {n} Zeichen"}}
        (folder / "page/deutsch.json").write_text(json.dumps(table))
        (folder / "page/wrong.json").write_text(json.dumps({**table, "frame": {"no.such.text": "Nichts"}}))
        with served(folder=folder / "page") as server:
            self.page.open(server.url + "?wording=deutsch.json")
            self.page.link()
            self.assertRegex(self.page.said()[0], "^Kopiert: ein Link von [0-9]+ Zeichen$")
            for name, words in (("wrong.json", "no.such.text"), ("nowhere.json", "404")):
                self.page.browser.get(server.url + "?wording=" + name)
                self.page.wait(lambda: name in self.page.js("return document.body.innerText"))
                self.assertIn(words, self.page.js("return document.body.innerText"))
        shutil.rmtree(folder)


class FilesOfThePage(OnPage):
    def test_a_file_is_picked_and_saved_as_a_download(self):
        path = ROOT / "assets/documents/two_heads_by_hand.json"
        self.fresh()
        self.page.browser.find_element(By.CSS_SELECTOR, "input[type=file]").send_keys(str(path))
        self.page.wait(lambda: "two_heads_by_hand" in self.page.js("return document.title"))
        self.page.settle()
        self.assertEqual(self.page.document(), json.loads(desktop("link", "--document", str(path))))
        self.page.keys("r")
        self.assertTrue(self.page.js("return hydrascopePage.unsaved"))
        self.page.keys("s", control=True)
        saved = self.page.downloads / path.name
        self.page.wait(saved.exists)
        self.page.settle()
        self.assertFalse(self.page.js("return hydrascopePage.unsaved"))
        self.assertEqual(json.loads(desktop("link", "--document", str(saved))), self.page.document())

    def test_an_untitled_document_is_saved_under_a_name(self):
        self.fresh(desktop("link", str(ROOT / "assets/documents/slices.json")).strip())
        self.page.keys("s", control=True)
        self.page.keys("a", control=True)
        self.page.keys("lesson.json", Keys.ENTER)
        saved = self.page.downloads / "lesson.json"
        self.page.wait(saved.exists)
        self.page.settle()
        self.assertIn("lesson.json", self.page.js("return document.title"))

    def drop(self, name, bytes_):
        self.drop_files({name: bytes_})

    def drop_files(self, files):
        self.page.js("""
            const carried = new DataTransfer();
            for (const [name, bytes] of Object.entries(arguments[0])) carried.items.add(new File([new Uint8Array(bytes)], name));
            document.getElementById('canvas').dispatchEvent(new DragEvent('drop', {dataTransfer: carried, bubbles: true, cancelable: true}));
            """, {name: list(bytes_) for name, bytes_ in files.items()})
        time.sleep(0.3)
        self.page.settle()

    def test_the_files_of_a_model_are_dropped(self):
        self.fresh()
        folder = ROOT / "tests/data/checkpoints/llama"
        self.drop_files({name: (folder / name).read_bytes() for name in ("config.json", "model.safetensors")})
        self.page.wait(lambda: self.page.place("layers/2") is not None)
        self.page.keys("s", control=True)
        self.page.keys("a", control=True)
        self.page.keys("mine.json", Keys.ENTER)
        saved = self.page.downloads / "mine.json"
        self.page.wait(saved.exists)
        document = json.loads(saved.read_text())
        self.assertEqual(document["model"]["folder"].rsplit("/", 1)[-1], "model")
        self.assertEqual(len(document["layers"]), 2)
        # What the page has computed is what the program computes with the same files.
        here = self.page.downloads / "model"
        here.mkdir()
        for name in ("config.json", "model.safetensors"):
            (here / name).write_bytes((folder / name).read_bytes())
        self.assertEqual(json.loads(desktop("info", str(here)))["sha256"], document["model"]["sha256"])

    def test_a_document_is_dropped(self):
        self.fresh()
        path = ROOT / "assets/documents/two_heads_by_hand.json"
        self.drop("dropped.json", path.read_bytes())
        self.assertIn("dropped.json", self.page.js("return document.title"))
        self.assertEqual(self.page.document(), json.loads(desktop("link", "--document", str(path))))

    def test_a_picture_or_a_folder_that_is_dropped_is_refused_with_a_sentence(self):
        self.fresh()
        title = self.page.js("return document.title")
        self.drop("photo.png", (ROOT / "docs/heads.png").read_bytes()[:4000])
        self.assertIn("photo.png", self.page.said()[0])
        self.page.js("hydrascopePage.files.lay('lessons', null); hydrascopePage.files.open('lessons')")
        self.page.settle()
        self.assertIn("is a directory", self.page.said()[0])
        self.assertEqual(self.page.js("return document.title"), title)

    def test_unsaved_work_is_asked_about_and_offered_again(self):
        link = desktop("link", str(ROOT / "assets/documents/slices.json")).strip()
        self.fresh(link)
        self.page.keys("r")
        work = self.page.document()
        self.page.wait(lambda: self.page.js("return Object.keys(localStorage).length") > 0)
        self.assertTrue(self.page.js("return hydrascopePage.unsaved"))
        # A driven browser leaves without the question that this brings about.
        self.assertTrue(self.page.js("""
            const leaving = new Event('beforeunload', {cancelable: true});
            window.dispatchEvent(leaving);
            return leaving.defaultPrevented;"""))
        self.page.open(self.url())
        self.page.wait(lambda: self.page.place("question/Recover"))
        self.page.click("question/Recover")
        self.assertEqual(self.page.document(), work)

    def test_storage_that_is_full_or_forbidden_is_told(self):
        link = desktop("link", str(ROOT / "assets/documents/slices.json")).strip()
        self.fresh(link)
        self.page.js("""
            let size = 5 << 20;
            for (let k = 0; size > 0; ++k) try { localStorage.setItem('full' + k, 'x'.repeat(size)); } catch { size >>= 1; }""")
        self.page.keys("r")
        self.page.wait(lambda: "not kept for recovery" in self.page.said()[0])
        self.assertIn("No space left", self.page.said()[0])
        self.page.js("localStorage.clear(); hydrascopePage.unsaved = false")
        script = self.page.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {
            "source": "Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('no', 'SecurityError'); }})"})
        try:
            self.page.open(self.url(link))
            self.page.keys("r")
            self.page.wait(lambda: "not kept for recovery" in self.page.said()[0])
        finally:
            self.page.browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)
            self.page.js("hydrascopePage.unsaved = false")


class Marks(OnPage):
    def mark(self, row, col, tokens):
        left, top, right, bottom = self.page.place("heads/large")
        self.page.click_at(round(left + (col + 0.5) * (right - left) / tokens),
                           round(top + (row + 0.5) * (bottom - top) / tokens))

    def test_pairs_are_marked_undone_saved_and_opened_again(self):
        self.fresh()
        tokens = 10
        self.page.keys("k", shift=True)
        self.page.click("marks/name")
        self.page.keys("owner", Keys.ENTER)
        self.mark(7, 1, tokens)
        self.mark(2, 0, tokens)
        marked = self.page.document()["marks"]
        self.assertIn("owner", json.dumps(marked))
        self.page.keys("z", control=True)
        self.assertNotEqual(self.page.document()["marks"], marked)
        self.page.keys("y", control=True)
        self.assertEqual(self.page.document()["marks"], marked)
        self.page.keys("s", control=True)
        self.page.keys("a", control=True)
        self.page.keys("marked.json", Keys.ENTER)
        saved = self.page.downloads / "marked.json"
        self.page.wait(saved.exists)
        self.page.settle()
        self.fresh()
        self.assertNotIn("marks", self.page.document())
        self.page.browser.find_element(By.CSS_SELECTOR, "input[type=file]").send_keys(str(saved))
        self.page.wait(lambda: "marked" in self.page.js("return document.title"))
        self.page.settle()
        self.assertEqual(self.page.document()["marks"], marked)


class TheBrowser(OnPage):
    def test_at_rest_nothing_is_done(self):
        self.fresh(desktop("link", str(ROOT / "assets/documents/slices.json")).strip())
        self.page.settle(6, 60)  # notices are gone
        frames = self.page.frames()
        time.sleep(4)
        self.assertEqual(self.page.frames(), frames)

    def lose_the_picture(self):
        self.page.js("""
            window.extension = hydrascopePage.module.GL.currentContext.GLctx.getExtension('WEBGL_lose_context');
            extension.loseContext();""")

    def cover(self):
        return self.page.js("""
            const cover = document.getElementById('cover'), what = document.getElementById('what');
            return cover.hidden ? '' : [what.role, what.textContent].join(': ');""")

    def test_the_picture_comes_back_after_its_context_was_lost_and_a_sentence_says_so(self):
        self.fresh(desktop("link", str(ROOT / "assets/documents/slices.json")).strip())
        self.page.settle(6, 60)
        with tempfile.TemporaryDirectory() as folder:
            before = Image.open(self.page.picture(pathlib.Path(folder) / "before.png")).convert("RGB")
            self.lose_the_picture()
            self.page.wait(lambda: "alert: The browser has taken the picture away" in self.cover())
            if PICTURES:
                self.page.picture(pathlib.Path(PICTURES) / "lost.png")
            self.page.js("extension.restoreContext()")
            self.page.wait(lambda: self.cover() == "")
            self.page.settle()
            after = Image.open(self.page.picture(pathlib.Path(folder) / "after.png")).convert("RGB")
        self.assertIsNone(ImageChops.difference(before, after).getbbox())

    def test_a_picture_that_does_not_come_back_is_told_and_the_work_is_offered_again(self):
        self.fresh(desktop("link", str(ROOT / "assets/documents/slices.json")).strip())
        self.page.keys("r")
        work = self.page.document()
        self.lose_the_picture()
        self.page.wait(lambda: "Reload the page" in self.cover())
        self.page.js("hydrascopePage.unsaved = false")  # a driven browser leaves without the question
        self.page.open(self.url())
        self.page.wait(lambda: self.page.place("question/Recover"))
        self.page.click("question/Recover")
        self.assertEqual(self.page.document(), work)

    def test_a_browser_without_webgl_2_is_told(self):
        script = self.page.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {
            "source": "const get = HTMLCanvasElement.prototype.getContext;"
                      "HTMLCanvasElement.prototype.getContext = function(kind, ...rest) {"
                      "  return kind === 'webgl2' ? null : get.call(this, kind, ...rest); };"})
        try:
            self.page.browser.get(self.url())
            self.page.wait(lambda: "WebGL 2" in self.page.js("return document.getElementById('what').textContent"))
            self.assertFalse(self.page.js("return document.getElementById('cover').hidden"))
        finally:
            self.page.browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)

    def test_it_works_offline_after_the_first_visit(self):
        server = Server()
        self.page.open(server.url)
        self.page.browser.execute_async_script("""
            const [done] = arguments;
            navigator.serviceWorker.ready.then(async () => {
              const kept = async () => {
                for (const name of await caches.keys())
                  if ((await (await caches.open(name)).keys()).some((request) => request.url.endsWith('hydrascope.wasm'))) return true;
              };
              while (!await kept()) await new Promise((go) => setTimeout(go, 50));
              setTimeout(done, 500);
            });""")
        server.stop()
        self.page.open(server.url + desktop("link", str(ROOT / "assets/documents/slices.json")).strip())
        self.assertEqual(self.page.document()["sentence"],
                         json.loads((ROOT / "assets/documents/slices.json").read_text())["sentence"])

    def test_the_browsers_keys_stay_the_browsers(self):
        self.fresh()
        taken = self.page.js("""
            return arguments[0].map(([key, code, ctrlKey, shiftKey]) => {
              const event = new KeyboardEvent('keydown', { key, code, ctrlKey, shiftKey, cancelable: true, bubbles: true });
              document.getElementById('keys').dispatchEvent(event);
              return event.defaultPrevented;
            });""", [
                *[[key, key, False, False] for key in ("F3", "F6", "F7", "F10", "F11", "F12", "ContextMenu")],
                *[[key, key, False, True] for key in ("F5", "Escape")],
                *[[key, code, True, False] for key, code in (("q", "KeyQ"), ("e", "KeyE"), ("k", "KeyK"), ("1", "Digit1"), ("F5", "F5"),
                                                             ("=", "Equal"), ("-", "Minus"), ("0", "Digit0"), ("Tab", "Tab"))],
                *[[key, code, True, True] for key, code in (("O", "KeyO"), ("B", "KeyB"), ("Delete", "Delete"), ("I", "KeyI"))]])
        self.assertFalse(any(taken), taken)
        ours = self.page.js("""
            return arguments[0].map(([key, ctrlKey, shiftKey]) => {
              const event = new KeyboardEvent('keydown', { key, ctrlKey, shiftKey, cancelable: true, bubbles: true });
              document.getElementById('keys').dispatchEvent(event);
              document.getElementById('keys').dispatchEvent(new KeyboardEvent('keyup', { key }));
              return event.defaultPrevented;
            });""", [["F5", False, False], ["z", True, False], ["Z", True, True], ["y", True, False], ["ArrowLeft", False, False]])
        self.assertTrue(all(ours), ours)

    def test_the_theme_is_the_systems_until_another_is_chosen(self):
        def prefer(scheme, **more):
            features = {"prefers-color-scheme": scheme, **more}
            self.page.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {
                "features": [{"name": name, "value": value} for name, value in features.items()]})
            self.page.settle()

        def ground():
            with tempfile.TemporaryDirectory() as folder:
                path = self.page.picture(pathlib.Path(folder) / "page.png")
                return ImageStat.Stat(Image.open(path).convert("L")).median[0]

        try:
            prefer("dark")
            self.fresh()
            self.assertLess(ground(), 60)
            prefer("light")
            self.assertGreater(ground(), 200)
            prefer("dark", **{"forced-colors": "active"})
            self.assertLess(ground(), 60)
            self.assertEqual(*self.page.js("""
                const probe = document.createElement('p');
                probe.style.cssText = 'forced-color-adjust: none; background: Canvas';
                document.body.append(probe);
                const color = (element) => getComputedStyle(element).backgroundColor;
                const both = [color(document.body), color(probe)];
                probe.remove();
                return both;"""))
            prefer("dark")
            self.page.keys("t")
            self.assertGreater(ground(), 200)
            prefer("light")
            prefer("dark")
            self.assertGreater(ground(), 200)  # the user's own
        finally:
            self.page.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})

    def test_an_input_method_writes_words(self):
        self.fresh(desktop("link", str(ROOT / "assets/documents/slices.json")).strip())
        self.page.keys("s")
        self.page.keys("a", control=True)
        cdp = self.page.browser.execute_cdp_cmd
        cdp("Input.imeSetComposition", {"text": "ねこ", "selectionStart": 2, "selectionEnd": 2})
        cdp("Input.insertText", {"text": "猫 が いる"})
        self.page.settle()
        self.page.keys(Keys.ENTER)
        self.assertEqual(self.page.document()["sentence"], "猫 が いる")

    def test_who_listens_is_told_the_number_and_its_arithmetic(self):
        self.fresh(desktop("link", str(ROOT / "assets/documents/two_heads_by_hand.json")).strip())
        self.page.click("tabs/flow")
        self.page.click("flow/W_Q")
        self.page.click("inspector/cell/1,1")
        status, number, _ = self.page.said()
        self.assertIn("W_Q", number)
        self.assertIn("=", number)
        self.assertTrue(status)

    def test_presentation_and_theme(self):
        self.fresh(desktop("link", str(ROOT / "assets/documents/slices.json")).strip())
        with tempfile.TemporaryDirectory() as folder:
            pictures = [Image.open(self.page.picture(pathlib.Path(folder) / "0.png")).convert("RGB")]
            for k, press in enumerate((lambda: self.page.keys(Keys.F5), lambda: self.page.keys("t"))):
                press()
                self.page.settle()
                pictures.append(Image.open(self.page.picture(pathlib.Path(folder) / f"{k + 1}.png")).convert("RGB"))
                self.assertIsNotNone(ImageChops.difference(pictures[-2], pictures[-1]).getbbox())

    def test_sharp_at_a_pixel_ratio_of_2(self):
        page = Page(ratio=2)
        try:
            page.open(self.url(desktop("link", str(ROOT / "assets/documents/slices.json")).strip()))
            self.assertEqual(page.js("return [hydrascopePage.module.canvas.width, hydrascopePage.module.canvas.height]"),
                             [2 * SIZE[0], 2 * SIZE[1]])
            page.click("tabs/mixing")
            self.assertIn("&view=mixing", page.link())
            if PICTURES:
                page.picture(pathlib.Path(PICTURES) / "ratio_2.png")
        finally:
            page.close()


class WithoutMouse(OnPage):
    """By keys alone, and by the tree of who does not see the canvas."""

    def setUp(self):
        self.fresh(desktop("link", str(ROOT / "assets/documents/slices.json")).strip())

    def text(self, name):
        return self.page.js("return document.getElementById(arguments[0]).textContent", name)

    def named(self, role):
        """The nodes of the browser's tree of that role: their properties by name."""
        nodes = self.page.browser.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
        return {node["name"]["value"]: {p["name"]: p["value"].get("value") for p in node.get("properties", [])} | {
                    "value": node.get("value", {}).get("value")}
                for node in nodes if not node["ignored"] and node["role"]["value"] == role}

    def choose(self, name):
        """As a screen reader clicks."""
        self.page.js("""[...document.querySelectorAll('#tree button')].find((b) => b.textContent === arguments[0]).click()""", name)
        self.page.settle()

    def test_a_number_is_selected_from_a_link_by_keys_alone(self):
        for keys in ((Keys.ARROW_DOWN,), (Keys.ENTER,), (Keys.TAB, Keys.TAB, Keys.TAB, Keys.ARROW_RIGHT)):
            with self.subTest(len(keys)):
                self.setUp()
                self.assertEqual(self.text("number"), "")
                for key in keys:
                    self.page.keys(key)
                self.assertIn("=", self.text("number"))
                before = self.text("number")
                self.page.keys(Keys.ARROW_UP)
                self.page.keys(Keys.ARROW_LEFT)
                self.page.keys(Keys.ARROW_DOWN)
                self.assertNotEqual(self.text("number"), before)

    def test_tab_marks_the_parts_and_leaves_behind_the_last(self):
        self.page.place("part")
        places = []
        for _ in range(12):
            self.page.keys(Keys.TAB)
            place = self.page.place("part")
            if place is None:
                break
            places.append((place, self.text("keyboard")))
        else:
            self.fail("Tab is a trap")
        self.page.wait(lambda: not self.page.js("return document.hasFocus()"))
        self.assertGreaterEqual(len(places), 4)
        self.assertEqual(len({text for _, text in places}), len(places))

    def test_the_tree_has_tabs_buttons_the_sentence_and_the_number(self):
        tabs = self.named("tab")
        self.assertLessEqual({"Flow", "Heads", "Mixing", "Stream", "Likeness", "Trade-off", "Roles", "Design", "Learn"}, set(tabs))
        chosen = [name for name, node in tabs.items() if node.get("selected")]
        self.assertIn("Heads", chosen)
        buttons = self.named("button")
        self.assertTrue(buttons["redo"]["disabled"])
        self.assertFalse(buttons["undo"].get("disabled"))  # it would close the link's document again
        self.assertEqual(buttons["undo"]["keyshortcuts"], "Control+Z")
        self.assertEqual(buttons["the document's notes: its guide"]["pressed"], "true")
        self.assertEqual(buttons["model panel"]["pressed"], "false")
        self.assertEqual(self.named("textbox")["Sentence"]["value"], self.page.document()["sentence"])
        self.assertIn("The selected number", self.named("status"))
        self.assertFalse([node for node in self.named("textbox").values() if "\u200b" in (node["value"] or "")])

    def test_what_changes_is_said(self):
        self.page.keys("x")
        self.assertIn("Mixing", self.text("place"))
        self.page.keys(".")
        self.assertIn("Who writes it", self.text("place"))
        self.page.keys("]")
        self.assertIn("ead 2 of ", self.text("place"))
        self.page.keys(Keys.F1)
        self.assertIn("keys are shown", self.text("keyboard"))
        self.page.keys(Keys.ESCAPE)
        self.assertEqual(self.text("keyboard"), "")
        for name in ("place", "keyboard", "status", "number"):
            self.assertIn(self.page.js("const e = document.getElementById(arguments[0]); return e.role ?? e.localName", name), ("status", "output"))

    def test_tabs_buttons_and_the_sentence_are_operated(self):
        self.choose("Mixing")
        self.assertIn("Mixing", self.text("place"))
        self.assertEqual([name for name, node in self.named("tab").items() if node.get("selected")], ["Mixing", "One output"])
        self.choose("Who writes it")
        self.assertIn("Who writes it", self.text("place"))
        self.choose("causal mask on or off")
        self.assertEqual(self.named("button")["causal mask on or off"]["pressed"], "true")
        self.choose("undo")
        self.assertEqual(self.named("button")["causal mask on or off"]["pressed"], "false")
        self.page.js("""const field = document.getElementById('sentence');
                        field.value = 'The dog'; field.dispatchEvent(new Event('change'));""")
        self.page.settle()
        self.assertEqual(self.page.document()["sentence"], "The dog")

    def test_axe_finds_nothing(self):
        axe = next((path for path in (pathlib.Path(folder) / "axe-core/axe.min.js"
                                      for folder in os.environ.get("HYDRA_NODE_MODULES", "/usr/share/nodejs").split(":"))
                    if path.exists()), None)
        if axe is None:
            self.skipTest("axe-core is not installed (npm install axe-core; HYDRA_NODE_MODULES=.../node_modules)")
        for prepare in (lambda: None, lambda: self.page.keys(Keys.ARROW_DOWN), lambda: self.page.keys(Keys.F1),
                        lambda: self.page.js("document.querySelector('#tree button').focus()"),
                        lambda: self.page.js("document.getElementById('cover').hidden = false")):
            prepare()
            self.page.settle()
            self.page.js(axe.read_text())
            found, held = self.page.browser.execute_async_script("""
                const [done] = arguments;
                axe.run().then(({ violations, passes }) => done([violations, passes.map(({ id }) => id)]));""")
            self.assertEqual(found, [])
            self.assertIn("aria-required-children", held)


class Size(unittest.TestCase):
    def test_the_first_picture_takes_less_than_two_and_a_half_megabytes(self):
        for build in ("turns", "threads"):
            later = ("turns", "threads", "examples")
            paths = [p for p in PAGE.rglob("*") if p.is_file() and p.suffix != ".gz" and p.parent.name not in later]
            paths += [p for p in (PAGE / build).glob("*") if p.suffix != ".gz"]
            size = sum(len(gzip.compress(p.read_bytes(), 9)) for p in paths)
            print(f"\n  {build}: {size / 1e6:.2f} MB gzipped", file=sys.stderr)
            self.assertLess(size, 2.5e6)

if __name__ == "__main__":
    unittest.main(verbosity=2)
