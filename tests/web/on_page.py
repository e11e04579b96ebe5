"""What tests of the page have in common."""
import os
import unittest

from page import Page, Server, numbers_of

PICTURES = os.environ.get("HYDRA_PICTURES")  # a folder for what the tests look at


class OnPage(unittest.TestCase):
    threads = True

    @classmethod
    def setUpClass(cls):
        cls.server = Server(threads=cls.threads)
        cls.page = Page()

    @classmethod
    def tearDownClass(cls):
        cls.page.close()
        cls.server.stop()

    def url(self, rest=""):
        return self.server.url + rest

    def fresh(self, rest=""):
        """The page as at a first visit, but for the service worker, which gives the headers for threads from the second on."""
        self.page.browser.get(self.url("manifest.webmanifest"))
        self.page.js("localStorage.clear()")
        self.page.open(self.url(("" if self.threads else "?threads=off") + rest))

    def assert_close(self, ours, theirs, bound=1e-5):
        """Two JSON values: the same, but for numbers, which differ by no more than bound times the largest of their matrix (or
        1): as 32-bit sums do that are taken in another order, without fused multiplication."""
        a, b = dict(numbers_of(ours)), dict(numbers_of(theirs))
        self.assertEqual(a.keys(), b.keys())
        largest = {}
        for place, number in b.items():
            matrix = place.rstrip("/0123456789")
            largest[matrix] = max(largest.get(matrix, 1), abs(number))
        worst = max(((abs(a[k] - b[k]) / largest[k.rstrip("/0123456789")], k) for k in a), default=(0, ""))
        self.assertLessEqual(worst[0], bound, worst)
        return worst[0]
