"""The pages: lines that fit, links that lead somewhere."""

import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).parents[2]
LONGEST = 120


def pages():
    listed = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode == 0 and listed.stdout:
        return [ROOT / name for name in listed.stdout.split("\n") if name and (ROOT / name).exists()]
    return sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("tests/**/*.md")])  # no clone: an archive


def prose(text):
    """Numbered lines outside of fenced and indented code."""
    fenced = False
    for number, line in enumerate(text.split("\n"), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced and not line.startswith("    "):
            yield number, line


def too_long(text):
    return [n for n, line in prose(text) if len(line) > LONGEST and not line.startswith("|")]


def anchors(text):
    """The names that GitHub gives to headings: lower case, without punctuation, blanks as hyphens."""
    headings = [line.lstrip("#").strip() for _, line in prose(text) if line.startswith("#")]
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def links(text):
    return re.findall(r"\]\(([^)\s]+)\)", "\n".join(line for _, line in prose(text)))


def broken(text, page):
    """Links that lead nowhere from this page; those to other sites are not followed."""
    lost = []
    for link in links(text):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = page.parent / name if name else page
        if not target.exists() or (anchor and anchor not in anchors(target.read_text())):
            lost.append(link)
    return lost


def test_the_checks_themselves(tmp_path):
    word = "word " * 30
    assert too_long(f"{word}\n\n    {word}\n```\n{word}\n```\n| {word} |\nshort\n- {word}") == [1, 9]
    page = tmp_path / "page.md"
    page.write_text(
        "# A heading: `x` and y\n[a](page.md) [b](#a-heading-x-and-y) [c](page.md#none) [d](none.md) [e](http://x)"
    )
    assert broken(page.read_text(), page) == ["page.md#none", "none.md"]


def test_there_are_pages():
    names = {page.name for page in pages()}
    assert {"README.md", "options.md", "learning-rates.md", "information-gate.md"} <= names


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_lines_and_links(page):
    text = page.read_text()
    assert too_long(text) == []
    assert broken(text, page) == []
