"""Completes the page's folder: the service worker's list of files and their version, and each larger file once more,
compressed, for servers that can hand that out.

Usage: page_files.py FOLDER
"""
import gzip
import hashlib
import json
import pathlib
import sys


def main():
    folder = pathlib.Path(sys.argv[1])
    worker = folder / "worker.js"
    names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file() and path != worker)
    names = ["./"] + names
    digest = hashlib.sha256(worker.read_bytes())
    for name in names[1:]:
        digest.update((folder / name).read_bytes())
    text = worker.read_text().replace("@VERSION@", digest.hexdigest()[:16]).replace("@FILES@", json.dumps(names))
    worker.write_text(text)
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.stat().st_size > 1000:
            (path.parent / (path.name + ".gz")).write_bytes(gzip.compress(path.read_bytes(), 9, mtime=0))


main()
