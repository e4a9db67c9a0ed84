"""Man pages and completions, made of the program's own help."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[2]


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    program = os.environ.get("SUREFOOT_PROGRAM")
    if not program:
        pytest.skip("SUREFOOT_PROGRAM does not name the command line program")
    folder = tmp_path_factory.mktemp("share")
    subprocess.run([sys.executable, ROOT / "cmake" / "man_pages.py", program, folder], check=True)
    return program, folder


@pytest.mark.parametrize("words", [(), ("minimize",), ("bench", "bbob"), ("arena",), ("reproduce",)])
def test_every_option_of_the_help_has_a_place(shared, words):
    program, folder = shared
    word = "--help-all" if words == ("minimize",) else "--help"
    text = subprocess.run([program, *words, word], capture_output=True, text=True).stdout
    flags = [flag for line in re.findall(r"^  (-\S+)", text, re.M) for flag in re.findall(r"--[\w-]+", line)]
    assert "--help" in flags
    page = (folder / "man1" / f"{'-'.join(['surefoot', *words])}.1").read_text()
    bold = [line for line in page.replace("\\-", "-").split("\n") if line.startswith(".B -")]
    assert sorted(flag for line in bold for flag in re.findall(r"--[\w-]+", line.split(" ")[1])) == sorted(flags)


def test_options_of_the_table_have_their_meaning(shared):
    page = (shared[1] / "man1" / "surefoot-minimize.1").read_text().replace("\\-", "-")
    assert ".B --ftarget FLOAT\nStop when f <= ftarget\n" in page


def completed(folder, *words):
    script = folder / "bash-completion" / "completions" / "surefoot"
    typed = " ".join(f"'{word}'" for word in ("surefoot", *words))
    code = f'. {script}; COMP_WORDS=({typed}); COMP_CWORD={len(words)}; _surefoot; echo "${{COMPREPLY[@]}}"'
    return subprocess.run(["bash", "-c", code], capture_output=True, text=True, check=True).stdout.split()


def test_bash_completes_commands_and_options(shared):
    folder = shared[1]
    assert completed(folder, "min") == ["minimize"]
    assert completed(folder, "bench", "")[:2] == ["bbob", "practical"]
    assert completed(folder, "minimize", "--ftar") == ["--ftarget"]
    assert completed(folder, "minimize", "--ftarget", "1e-8", "--maxf") == ["--maxfevals"]
    assert completed(folder, "minimize", "nothing") == []


def completed_by_zsh(folder, *words):
    """The function with a compadd that prints, since the real one works on a command line only."""
    script = folder / "zsh" / "site-functions" / "_surefoot"
    typed = " ".join(f"'{word}'" for word in ("surefoot", *words))
    code = f"""compadd() {{ shift; print -l -- "${{(M)@:#${{words[CURRENT]}}*}}" }}
        source {script}; words=({typed}); CURRENT={len(words) + 1}; _surefoot"""
    return subprocess.run(["zsh", "-f", "-c", code], capture_output=True, text=True, check=True).stdout.split()


@pytest.mark.skipif(not shutil.which("zsh"), reason="no zsh")
def test_zsh_completes_commands_and_options(shared):
    folder = shared[1]
    assert completed_by_zsh(folder, "min") == ["minimize"]
    assert completed_by_zsh(folder, "bench", "")[:2] == ["bbob", "practical"]
    assert completed_by_zsh(folder, "minimize", "--ftar") == ["--ftarget"]
    assert completed_by_zsh(folder, "minimize", "--ftarget", "1e-8", "--maxf") == ["--maxfevals"]
