#!/usr/bin/env python3
"""Lists places that a native reader would stumble over: pages, comments and messages.

  scripts/plain_words.py        places in files that are clean so far; status 1 if there are any
  scripts/plain_words.py --all  places in all pages and sources

Words in quotation marks or backquotes, and code in pages, do not count.
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
THINGS = (
    "candidate|cell|column|coordinate|evaluation|generation|line|method"
    "|node|processor|rank|row|run|search|trial|worker"
)
PATTERNS = {  # what to look for: what to write instead
    r"\bis none of\b|\bnone that\b|(?<!there )\b(?:is|are) none\b": "is not ..., does not have ...",
    r"(?<!there )\b(?:is|are) no (?!longer|more|need|way|\w+er\b)\w+": "is not a ..., cannot be ...",
    r"\b(?:go|goes|going|gone|went) on\b": "continues, resumes",
    r"\b(?:is|are|was|were|be) told\b": "learns, is notified, receives",
    r"\bas (?:it|they) (?:was|were)\b": "unchanged, as before",
    r"\bso many\b(?! that)": "the number",
    r"\bwhat is left of\b": "the rest of",
    r"\bthat (?:is|are) left\b": "remaining",
    rf"\b(?:one|a value|a line|a row|\d+) an? (?:{THINGS})\b": "one per ...",
    r"\bstands?\b(?! for\b| on\b)": "is",
    r"\bhas had\b": "had",
    r"(?:^|[.:;] )Who(?:ever)? (?!is\b|are\b)\w+": "name the person, or use you",
    r"\b(?:barren|excused|forgiven|favourite|overdraft)\b": "see the names in ARCHITECTURE.md",
}
CLEAN = ("README.md", "docs/", "include/")
EVERYTHING = ("README.md", "docs/", "include/", "python/", "cli/", "src/", "mpi/", "examples/")
ENDINGS = (".md", ".hpp", ".cpp", ".h", ".py")
QUOTED = re.compile(r'"[^"]*"|`[^`]*`|\]\([^)]*\)')


def files(places):
    names = subprocess.check_output(["git", "ls-files", "--", *places], cwd=ROOT, text=True).splitlines()
    return [name for name in names if name.endswith(ENDINGS)]


def prose(name):
    """Numbered lines without quoted words; of pages without code, of sources all: messages count too."""
    is_page, fenced = name.endswith(".md"), False
    for number, line in enumerate((ROOT / name).read_text(encoding="utf-8").splitlines(), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif is_page and (fenced or line.startswith("    ")):
            continue
        else:
            yield number, QUOTED.sub('""', line) if is_page else re.sub(r"`[^`]*`", "``", line)


def found(name):
    for number, line in prose(name):
        for pattern, better in PATTERNS.items():
            for match in re.finditer(pattern, line):
                yield f"{name}:{number}: '{match.group(0).strip(' .:;')}': {better}"


def main():
    everything = sys.argv[1:] == ["--all"]
    places = [place for name in files(EVERYTHING if everything else CLEAN) for place in found(name)]
    print("\n".join(places) if places else "plain words: nothing to say")
    return 1 if places else 0


if __name__ == "__main__":
    sys.exit(main())
