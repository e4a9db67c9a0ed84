"""The pages: lines that fit, links that lead somewhere."""

import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).parents[2]
LONGEST = 120
FOLDERS = ("benchmarks", "cli", "cmake", "docs", "examples", "include", "mpi", "python", "scripts", "src", "tests")


def files(*endings):
    """The project's files with these endings; build folders are left out."""
    everywhere = [*ROOT.iterdir(), *(file for folder in FOLDERS for file in (ROOT / folder).rglob("*"))]
    return sorted(file for file in everywhere if file.suffix in endings and file.is_file())


def pages():
    return files(".md")


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
        if not target.exists() or (anchor and anchor not in anchors(target.read_text(encoding="utf-8"))):
            lost.append(link)
    return lost


def lost_paths(text):
    """Files and folders of the repository in backquotes that do not exist."""
    names = re.findall(rf"`((?:{'|'.join((*FOLDERS, 'reference'))})/[\w./+-]+)`", text)
    return sorted({name for name in names if "..." not in name and "NAME" not in name and not (ROOT / name).exists()})


def test_the_checks_themselves(tmp_path):
    word = "word " * 30
    assert too_long(f"{word}\n\n    {word}\n```\n{word}\n```\n| {word} |\nshort\n- {word}") == [1, 9]
    page = tmp_path / "page.md"
    page.write_text(
        "# A heading: `x` and y\n[a](page.md) [b](#a-heading-x-and-y) [c](page.md#none) [d](none.md) [e](http://x)"
    )
    assert broken(page.read_text(encoding="utf-8"), page) == ["page.md#none", "none.md"]
    assert lost_paths("`docs/README.md` `src/driver/` `src/none.cpp` `src/NAME.cpp` src/none.hpp") == ["src/none.cpp"]


def test_there_are_pages():
    names = {page.name for page in pages()}
    assert {"README.md", "options.md", "learning-rates.md", "information-gate.md"} <= names


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_lines_and_links(page):
    text = page.read_text(encoding="utf-8")
    assert too_long(text) == []
    assert broken(text, page) == []
    assert lost_paths(text) == []


def test_pages_warn_of_checkpoints_from_strangers():
    """A checkpoint holds the command that `surefoot resume` runs."""
    for name in ("how-to/cluster", "reference/command-line", "reference/reliability", "tutorials/simulator"):
        text = (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")
        assert "from a stranger" in " ".join(text.split()), name
    assert "from a stranger" in " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())


def test_pages_that_sources_name():
    lost = set()
    for file in files(".cpp", ".hpp", ".py", ".js", ".sh", ".txt"):
        for name in re.findall(r"\bdocs/[\w/-]+\.md\b(?!\.in)", file.read_text(encoding="utf-8")):
            if not (ROOT / name).exists():
                lost.add(f"{file.relative_to(ROOT)}: {name}")
    assert not lost


def test_the_contents_list_every_page_once():
    """docs/README.md, from which the site takes its order."""
    text = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    listed = re.findall(r"^- \[[^]]+\]\(([^):]+\.md)\)", text, re.M)
    there = {str(page.relative_to(ROOT / "docs")) for page in (ROOT / "docs").rglob("*.md")} - {"README.md"}
    assert len(listed) == len(set(listed))
    assert set(listed) == there


def test_evidence_says_when_and_where():
    for page in (ROOT / "docs" / "evidence").glob("*.md"):
        head = page.read_text(encoding="utf-8").split("\n## ")[0]
        assert re.search(r"\b20\d\d-\d\d-\d\d\b|\(commit [0-9a-f]{7}\)", head), page.name
        assert "commit" in head, page.name


def test_the_readme_is_short():
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 110
