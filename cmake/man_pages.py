"""Man pages and completions of bash and zsh, made of what the program says about itself: man_pages.py PROGRAM FOLDER.

The program's help comes from the table of options, so nothing is written down twice. Writes man1/surefoot.1,
man1/surefoot-COMMAND.1, bash-completion/completions/surefoot and zsh/site-functions/_surefoot below FOLDER.
"""

import re
import subprocess
import sys
from pathlib import Path
from typing import Dict, List, NamedTuple, Tuple

OPTION = re.compile(r"  (-\S+)((?: [A-Z.]\S*)*)(?:  +(.*))?$")
COMMAND = re.compile(r"  ([a-z]\w*)  +(.*)$")


class Help(NamedTuple):
    summary: str
    usage: str
    groups: List[Tuple[str, List[Tuple[str, str]]]]  # heading, then flags with their value, and their meaning
    rest: List[str]


def run(program: str, *words: str) -> str:
    return subprocess.run([program, *words], check=True, capture_output=True, text=True).stdout


def parse(text: str) -> Help:
    lines = text.splitlines()
    usage = next((line for line in lines if line.startswith("Usage: ")), "")
    groups: List[Tuple[str, List[Tuple[str, str]]]] = []
    rest: List[str] = []
    for line in lines[1:]:
        row = OPTION.match(line) or COMMAND.match(line)
        if line.endswith(":") and not line.startswith(" "):
            groups.append((line[:-1], []))
        elif row and groups:
            name = row[1] + (row[2] or "" if row.re is OPTION else "")
            groups[-1][1].append((name, row[row.re.groups] or ""))
        elif line.startswith("   ") and groups and groups[-1][1]:  # the meaning goes on, or stands below a long name
            flag, meaning = groups[-1][1][-1]
            groups[-1][1][-1] = (flag, f"{meaning} {line.strip()}".strip())
        elif line.strip() and line != usage:
            rest.append(line)
    return Help(lines[0], usage[len("Usage: ") :], groups, rest)


def commands(page: Help) -> List[str]:
    return [name for heading, rows in page.groups if heading == "Subcommands" for name, _ in rows]


def flags(page: Help) -> List[str]:
    return [flag for _, rows in page.groups for name, _ in rows for flag in re.findall(r"--[\w-]+", name.split(" ")[0])]


def roff(text: str) -> str:
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text.startswith((".", "'")) else text


def man_page(name: str, version: str, page: Help, others: List[str]) -> str:
    summary = page.summary.partition(": ")[2] if page.summary.startswith("Surefoot: ") else page.summary
    lines = [f'.TH {name.upper()} 1 "" "surefoot {version}" "User Commands"', ".SH NAME", roff(f"{name} - {summary}")]
    lines += [".SH SYNOPSIS", ".B " + roff(page.usage)]
    for heading, rows in page.groups:
        if rows:
            lines.append(f".SH {heading.upper()}")
        for flag, meaning in rows:
            lines += [".TP", ".B " + roff(flag), roff(meaning)]
    if page.rest:
        lines.append(".SH NOTES")
        lines += [line for text in page.rest for line in (roff(text), ".br")][:-1]
    if others:
        lines += [".SH SEE ALSO", roff(", ".join(f"{other}(1)" for other in others))]
    return "\n".join(lines) + "\n"


def choices_of(pages: Dict[str, Help], words: str) -> str:
    """What may follow after these words: commands first, then the command's options."""
    below = [command for command in commands(pages[words]) if not words or command not in commands(pages[""])]
    return " ".join(below + flags(pages[words]))


def zsh_completions(pages: Dict[str, Help]) -> str:
    """The same for zsh; after an option that takes a value, and for other words, files."""
    return "\n".join(
        [
            "#compdef surefoot",
            "# Completions of surefoot for zsh.",
            "_surefoot() {",
            "  local i before=",
            "  for ((i = 2; i < CURRENT; ++i)); do",
            "    [[ ${words[i]} == -* ]] && break",
            '    before+="${before:+ }${words[i]}"',
            "  done",
            "  local -a choices",
            '  case "$before" in',
            *[f'    "{words}") choices=({choices_of(pages, words)}) ;;' for words in pages],
            "  esac",
            '  compadd -- "${choices[@]}"',
            "  [[ ${words[CURRENT]} == -* ]] || (( ! $+functions[_files] )) || _files",
            "}",
            '[[ $funcstack[1] == _surefoot ]] && _surefoot "$@"',
            "",
        ]
    )


def completions(pages: Dict[str, Help]) -> str:
    """Of words after the program: commands first, then the command's options, and files."""
    cases = [f'    "{words}") choices="{choices_of(pages, words)}" ;;' for words in pages]
    return "\n".join(
        [
            "# Completions of surefoot for bash.",
            "_surefoot() {",
            "  local current=${COMP_WORDS[COMP_CWORD]} words= choices= i",
            "  for ((i = 1; i < COMP_CWORD; ++i)); do",
            "    [[ ${COMP_WORDS[i]} == -* ]] && break",
            '    words+="${words:+ }${COMP_WORDS[i]}"',
            "  done",
            '  case "$words" in',
            *cases,
            "  esac",
            '  mapfile -t COMPREPLY < <(compgen -W "$choices" -- "$current")',
            "}",
            "complete -o bashdefault -o default -F _surefoot surefoot",
            "",
        ]
    )


def all_pages(program: str) -> Dict[str, Help]:
    """By the words after the program."""
    pages = {"": parse(run(program, "--help"))}
    for first in commands(pages[""]):
        pages[first] = parse(run(program, first, "--help-all" if first == "minimize" else "--help"))
        for second in commands(pages[first]):
            if second not in commands(pages[""]):
                pages[f"{first} {second}"] = parse(run(program, first, second, "--help"))
    return pages


def main() -> None:
    program, folder = sys.argv[1], Path(sys.argv[2])
    version = run(program, "--version").split()[-1]
    pages = all_pages(program)
    names = {words: "-".join(["surefoot", *words.split()]) for words in pages}
    (folder / "man1").mkdir(parents=True, exist_ok=True)
    for words, page in pages.items():
        others = list(names.values())[1:] if not words else ["surefoot"]
        (folder / "man1" / f"{names[words]}.1").write_text(man_page(names[words], version, page, others))
    place = folder / "bash-completion" / "completions"
    place.mkdir(parents=True, exist_ok=True)
    (place / "surefoot").write_text(completions(pages))
    place = folder / "zsh" / "site-functions"
    place.mkdir(parents=True, exist_ok=True)
    (place / "_surefoot").write_text(zsh_completions(pages))


if __name__ == "__main__":
    main()
