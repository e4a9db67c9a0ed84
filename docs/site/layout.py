"""Lays out the sources of the site: layout.py ROOT FOLDER. Pages stay as they are in the repository; added are the index
and the pages of the programming interfaces. docs/README.md says which pages there are and in which order."""

import os
import re
import shutil
import sys
from pathlib import Path
from xml.etree import ElementTree

BESIDES = {"Reference": ["api/cpp", "api/python", "api/c"]}  # written below, so docs/README.md cannot link them
COPIED = ["docs", "examples", "reference", "tests/data/fixtures/README.md", "src/core/elementary"]
FUNCTIONS = [
    "minimize",
    "least_squares",
    "curve_fit",
    "method",
    "plot",
    "read_log",
    "read_trace",
    "reproduce",
    "without_tolerances",
]
CPP = [
    ("Searching", ["minimize", "least_squares", "optimizer", "session", "options", "result", "stop"]),
    (
        "Starts and parameters",
        ["start", "point", "bounds", "space", "restart", "failure", "batch", "noise", "option_table"],
    ),
    ("Evaluating", ["evaluator", "generation", "outcome", "usage", "executor"]),
    (
        "Methods",
        ["method", "learning_rate", "strategy", "distribution", "gaussian", "normal_source", "measures", "record"],
    ),
    ("Problems", ["problems", "bbob", "practical"]),
]


def chapters(root):
    """Headings of docs/README.md with the pages that are listed below each."""
    text = (root / "docs/README.md").read_text(encoding="utf-8")
    parts = re.split(r"^## (.+)$", text, flags=re.M)[1:]
    return {
        name: re.findall(r"^- \[[^]]+\]\(([^):]+\.md)\)", part, re.M) for name, part in zip(parts[::2], parts[1::2])
    }


def unlisted(root):
    """Pages that docs/README.md does not list yet."""
    listed = {page for pages in chapters(root).values() for page in pages} | {"README.md"}
    return sorted({str(page.relative_to(root / "docs")) for page in (root / "docs").rglob("*.md")} - listed)


def toctree(caption, pages):
    return "\n".join(["```{toctree}", f":caption: {caption}", ":maxdepth: 1", "", *pages, "```"])


def write_index(root, folder):
    text = (root / "docs/site/index.md.in").read_text(encoding="utf-8")
    trees = []
    for name, pages in chapters(root).items():
        trees.append(toctree(name, [*(f"docs/{page}" for page in pages), *BESIDES.get(name, [])]))
    if unlisted(root):
        trees.append(toctree("New", [f"docs/{page}" for page in unlisted(root)]))
    (folder / "index.md").write_text(text.replace("@CHAPTERS@", "\n\n".join(trees)), encoding="utf-8")


def heading(text, line):
    return f"{text}\n{line * len(text)}"


def write_page(folder, name, parts):
    (folder / "api").mkdir(exist_ok=True)
    (folder / "api" / f"{name}.rst").write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def declared(xml, header):
    """What a header declares, one directive each: a directive for the file would declare the namespace every time."""
    file = ElementTree.parse(xml / f"{header.replace('_', '__')}_8hpp.xml").find("compounddef")
    parts = [heading(f"<surefoot/{header}.hpp>", "~"), "".join(file.find("detaileddescription").itertext()).strip()]
    for inner in file.iter("innerclass"):
        kind = "struct" if inner.get("refid").startswith("struct") else "class"
        if inner.text.count("::") == 1:
            parts.append(f".. doxygen{kind}:: {inner.text}\n   :members:")
    space = ElementTree.parse(xml / "namespacesurefoot.xml").find("compounddef")
    for member in space.iter("memberdef"):
        name = f"surefoot::{member.findtext('name')}"
        if member.find("location").get("file") != f"surefoot/{header}.hpp":
            continue
        if member.get("kind") == "enum":
            parts.append(f".. doxygenenum:: {name}")
        elif member.get("kind") == "function":
            parts.append(f".. doxygenfunction:: {name}{member.findtext('argsstring')}")
    return list(dict.fromkeys(parts))


def drop_twins(xml):
    """Doxygen does not see constraints: functions that differ in nothing else have the same id, which Sphinx refuses."""
    for file in [*xml.glob("class*.xml"), *xml.glob("struct*.xml")]:
        tree, seen = ElementTree.parse(file), set()
        for section in tree.iter("sectiondef"):
            for member in section.findall("memberdef"):
                if member.get("id") in seen:
                    section.remove(member)
                seen.add(member.get("id"))
        tree.write(file, encoding="unicode")


def write_api(folder, xml):
    """In reStructuredText, which Breathe and autodoc speak."""
    cpp = [
        heading("C++", "="),
        "Everything is in the namespace ``surefoot``; ``<surefoot/surefoot.hpp>`` includes it all.",
    ]
    for title, headers in CPP:
        cpp += [heading(title, "-"), *(part for header in headers for part in declared(xml, header))]
    write_page(folder, "cpp", cpp)
    write_page(folder, "c", [heading("C", "="), ".. doxygenfile:: surefoot.h"])
    python = [heading("Python", "=")]
    python += [f".. autofunction:: surefoot.{name}" for name in FUNCTIONS]
    python += [".. autoclass:: surefoot.Optimizer\n   :members:", ".. autoclass:: surefoot.Result"]
    python += [f".. autoclass:: surefoot.{name}" for name in ("Real", "Integer", "Grid", "Choice", "Fixed")]
    python += [".. automodule:: surefoot.problems\n   :members:"]
    write_page(folder, "python", python)


def main():
    root, folder = Path(sys.argv[1]), Path(sys.argv[2])
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in COPIED:
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if (root / name).is_dir():
            shutil.copytree(root / name, target, ignore=shutil.ignore_patterns("site", "__pycache__"))
        else:
            shutil.copy(root / name, target)
    for page in (*root.glob("*.md"), root / "LICENSE", root / "CITATION.cff"):
        shutil.copy(page, folder)
    write_index(root, folder)
    xml = Path(os.environ["SUREFOOT_DOXYGEN"])
    drop_twins(xml)
    write_api(folder, xml)


if __name__ == "__main__":
    main()
