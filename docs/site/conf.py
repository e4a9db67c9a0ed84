"""Settings of Sphinx. scripts/site lays the pages out and calls it."""

import os

from pygments.lexers import TextLexer

project = "Surefoot"
author = "The Surefoot developers"
copyright = author
version = release = os.environ["SUREFOOT_VERSION"]
extensions = ["myst_parser", "breathe", "sphinx.ext.autodoc"]
html_theme = "furo"
html_title = f"Surefoot {release}"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {"navigation_with_keys": True}

myst_heading_anchors = 4  # links to headings as a code host makes them
suppress_warnings = ["myst.header"]
highlight_language = "none"  # indented blocks are words for a shell, or formulas

breathe_projects = {"surefoot": os.environ["SUREFOOT_DOXYGEN"]}
breathe_default_project = "surefoot"
breathe_domain_by_extension = {"h": "c", "hpp": "cpp"}
autodoc_member_order = "bysource"
autodoc_typehints = "description"


def keep_as_written(app, what, name, obj, options, lines):
    """Docstrings are plain English: their first paragraph is text, the rest keeps its lines."""
    end = lines.index("") if "" in lines else len(lines)
    first = [line.replace("*", r"\*").replace("|", r"\|").replace("`", "``") for line in lines[:end]]
    rest = lines[end + 1 :]
    lines[:] = [*first, ""]
    if any(line.strip() for line in rest):
        lines += ["::", "", *("    " + line for line in rest), ""]


def setup(app):
    app.add_lexer("csv", TextLexer)  # of which Pygments has none
    app.connect("autodoc-process-docstring", keep_as_written)
