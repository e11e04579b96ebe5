"""Where the time of opening the page goes: start_times.py [KBIT_PER_SECOND]. Milliseconds from the first byte that is asked for, in
Chromium with a fresh profile: a first visit, a second and a third one.

HYDRA_PAGE: the page's folder.
"""
import sys
import time

from page import Page, Server

PARTS = ("program is there", "compiled", "instance, threads", "main()", "first picture", "KiB")


def visit(page, url):
    page.browser.get("about:blank")
    time.sleep(1.5)
    page.browser.get(url)
    page.wait(lambda: page.js("return globalThis.hydrascopePage?.loop.first > 0"), 120)
    return page.js("""
        const files = performance.getEntriesByType('resource'), at = (mark) => performance.getEntriesByName(mark)[0].startTime;
        return [files.find((file) => file.name.endsWith('.wasm')).responseEnd, at('compiled'), at('instance'), at('begun'),
                hydrascopePage.loop.first, files.reduce((sum, file) => sum + file.transferSize, 0) / 1024].map(Math.round);""")


def main():
    speed = int(sys.argv[1]) if len(sys.argv) > 1 else None
    print("| build | visit | " + " | ".join(PARTS) + " |")
    print("| --- | --- |" + " ---: |" * len(PARTS))
    for build in ("turns", "threads"):
        server, page = Server(threads=build == "threads"), Page()
        if speed:
            page.browser.execute_cdp_cmd("Network.enable", {})
            page.browser.execute_cdp_cmd("Network.emulateNetworkConditions", {
                "offline": False, "latency": 40, "downloadThroughput": speed * 125, "uploadThroughput": speed * 25})
        for count in (1, 2, 3):
            print(f"| {build} | {count} | " + " | ".join(map(str, visit(page, server.url))) + " |", flush=True)
            time.sleep(4)  # what the visit leaves to be kept
        page.close()
        server.stop()


main()
