#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Links of the built site lead somewhere: links.py HTML_FOLDER
Each relative link and picture of a page is a file of the site, and each anchor an id of its page. The words of a link are no name of
a page's file."""
import html.parser
import pathlib
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.links, self.ids, self.words, self.link = set(), set(), {}, None
        self.feed(path.read_text(encoding="utf-8"))

    def handle_data(self, data):
        if self.link:
            self.words[self.link] = self.words.get(self.link, "") + data

    def handle_endtag(self, tag):
        if tag == "a":
            self.link = None

    def handle_starttag(self, tag, attributes):
        if tag == "a":
            self.link = dict(attributes).get("href")
        for name, value in attributes:
            if name in ("href", "src") and value:
                self.links.add(value)
            if name == "id" or name == "name" and tag == "a":
                self.ids.add(value)


def faults(root):
    pages = {path.resolve(): Page(path) for path in root.rglob("*.html")}
    for path, page in pages.items():
        for link in page.links:
            url = urllib.parse.urlsplit(link)
            if url.scheme or url.netloc:
                continue
            if page.words.get(link, "").strip().endswith(".md"):
                yield f"{path.relative_to(root)}: the words of {link} are a file's name"
            target = (path.parent / urllib.parse.unquote(url.path)).resolve() if url.path else path
            if not target.is_file():
                yield f"{path.relative_to(root)}: there is no {link}"
            elif url.fragment and target in pages and urllib.parse.unquote(url.fragment) not in pages[target].ids:
                yield f"{path.relative_to(root)}: {link} names nothing"


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    found = sorted(faults(root))
    pages = len(list(root.rglob("*.html")))
    print("\n".join(found) or f"{pages} pages, all links lead somewhere")
    sys.exit(1 if found or not pages else 0)


main()
