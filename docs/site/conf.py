# SPDX-License-Identifier: BSD-3-Clause
"""The site: pages of the repository, which stay readable where they lie, and references out of the comments. Built by docs/site.sh."""
import pathlib
import re
import sys

from breathe.directives.file import DoxygenFileDirective
from sphinx import addnodes
from sphinx.transforms.post_transforms import SphinxPostTransform

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE))
from first_page import first_page  # noqa: E402

project = "hgrid"
author = copyright = "the authors of hgrid"
release = re.search(r"project\(hgrid VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)

extensions = ["breathe", "myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_copybutton", "sphinx_design"]
root_doc = "README"
include_patterns = ["*.md", "docs/**", "packaging/*.md", "examples/dem/*.md"]
exclude_patterns = ["build", ".deps", ".git", "docs/site"]

myst_heading_anchors = 4  # as Git hosts make them
nb_execution_mode = "force"
nb_execution_raise_on_error = True
breathe_projects = {"hgrid": str(ROOT / "build/site/xml")}
breathe_default_project = "hgrid"
breathe_domain_by_extension = {"h": "c", "hpp": "cpp"}
autodoc_member_order = "bysource"
autodoc_mock_imports = ["ase", "hgrid._xla", "jax", "torch"]
python_maximum_signature_line_length = 100
python_use_unqualified_type_names = True
default_role = "py:obj"  # names in docstrings
suppress_warnings = ["duplicate_declaration.cpp"]  # the namespace, which each header opens

html_theme = "furo"
html_title = f"hgrid {release}"
html_static_path = ["site.css"]
html_css_files = ["site.css"]
html_extra_path = ["index.html"]
html_copy_source = False
html_show_sourcelink = False

class PublicHeader(DoxygenFileDirective):
    """`doxygenfile` without private members."""

    PUBLIC = ("briefdescription detaileddescription innernamespace innerclass enum typedef var func define user-defined "
              "public-type public-attrib public-static-attrib public-func public-static-func")

    def run(self):
        self.options["sections"] = self.PUBLIC
        return super().run()


class OutsideIsWords(SphinxPostTransform):
    """A link to a folder, or to a page of the tests, which a Git host shows and a site does not have, becomes its words."""

    default_priority = 5  # before MyST looks for a page

    def run(self):
        for link in list(self.document.findall(addnodes.pending_xref)):
            if link.get("refdomain") == "doc":
                is_outside = link["reftarget"] not in self.env.found_docs
            else:
                is_outside = link.get("reftype") == "myst" and (ROOT / link["refdoc"]).parent.joinpath(link["reftarget"]).is_dir()
            if is_outside:
                link.replace_self(link.children)


class TitlesNotFiles(SphinxPostTransform):
    """A link whose words are the file that it leads to, as on a Git host, gets the title of the page."""

    default_priority = 4  # before MyST takes the words

    def run(self):
        for link in self.document.findall(addnodes.pending_xref):
            if link.get("refdomain") == "doc" and re.fullmatch(r"[\w/.-]+\.md", link.astext()):
                link["refexplicit"] = False


def drop_aliases(app, what, name, thing, options, lines):
    """Fields of named tuples are described where their class is."""
    if lines and lines[0].startswith("Alias for field number"):
        lines.clear()


def read(app, page, text):
    """The README is the first page."""
    if page == app.config.root_doc:
        text[0] = first_page(text[0], (HERE / "contents.txt").read_text(encoding="utf-8"))


def setup(app):
    app.connect("source-read", read)
    app.connect("autodoc-process-docstring", drop_aliases)
    app.add_directive("doxygenfile", PublicHeader, override=True)
    app.add_post_transform(OutsideIsWords)
    app.add_post_transform(TitlesNotFiles)
