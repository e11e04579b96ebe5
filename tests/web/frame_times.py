"""What a frame of the page costs in every view, before the browser draws it: at rest, of a drag, of a click. Medians of five
turns, in milliseconds; `hydrascope measure --views` has the same of the window.

HYDRA_PAGE: the page's folder.
"""
import statistics

from page import Page, Server

VIEWS = ("flow", "heads", "mixing", "stream", "likeness", "tradeoff", "roles", "design", "learn")


def median(times):
    return statistics.median(times) if times else float("nan")


def at_rest(page):
    left, top, right, bottom = page.place("status")
    chain = page._chain()
    for k in range(24):
        page._point(chain, round(left) + 40 + 4 * k, round((top + bottom) / 2))
    return page.times_of_frames(lambda: (chain.perform(), page.settle()))


def of_drags(page):
    return page.times_of_frames(lambda: [page.drag("inspector/cell/2,1", 0, by) for by in (-20, 20, -20, 20)])


def of_clicks(page):
    return page.times_of_frames(lambda: [page.click(f"inspector/cell/{row},1") for row in (3, 4, 3, 4)])


def main():
    print("| build | view | at rest | of a drag | of a click |")
    print("| --- | --- | ---: | ---: | ---: |")
    for build in ("turns", "threads"):
        server, page = Server(threads=build == "threads"), Page()
        page.open(server.url)
        page.click("inspector/cell/2,1")  # opens the inspector where a view folds it away
        for view in VIEWS:
            page.click("tabs/" + view)
            turns = [[median(measure(page)) for measure in (at_rest, of_drags, of_clicks)] for _ in range(5)]
            print(f"| {build} | {view} | " + " | ".join(f"{median(column):.2f}" for column in zip(*turns)) + " |", flush=True)
        page.close()
        server.stop()


main()
