# SPDX-License-Identifier: BSD-3-Clause
"""The site's first page is the README: its sections for languages become tabs, and the list of all pages stands below."""
import re

TABS = ("Python", "C++", "C and Fortran", "Shell")  # one after the other


def first_page(readme, contents):
    before, *sections = re.split(r"^(?=## )", readme, flags=re.M)
    titles = [section.splitlines()[0][3:] for section in sections]
    first = titles.index(TABS[0])
    last = first + len(TABS)
    if tuple(titles[first:last]) != TABS:
        raise ValueError(f"the README has the sections {titles}; {TABS} are to be tabs")
    tabs = [f"````{{tab-item}} {section[3:].rstrip()}\n````\n" for section in sections[first:last]]
    return "".join([before, *sections[:first], "`````{tab-set}\n", *tabs, "`````\n\n", *sections[last:], "\n", contents])
