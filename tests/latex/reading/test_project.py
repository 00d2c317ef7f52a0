"""Finding the root, following inclusions, and what lies outside."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from texgeist_latex.errors import NoRoot
from texgeist_latex.reading.draft import read_draft
from texgeist_latex.types import Draft

Draw = Callable[[str], object]
DOCUMENT = "\\documentclass{article}\\begin{document}\\section{%s}\n%s\n\\end{document}\n"


def write(folder: Path, **files: str) -> None:
    """`a__b` is `a.b`, `x___y` is `x/y`."""
    for name, text in files.items():
        path = folder / name.replace("___", "/").replace("__", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")


def read(
    path: Path, workspace: Path, root: Path | None = None, overlay: Mapping[Path, str] | None = None
) -> Draft:
    return read_draft(path, workspace=workspace, programs=False, root=root, overlay=overlay)


def names(draft: Draft) -> list[str]:
    return [p.relative_to(draft.root.parent).as_posix() for p in draft.files]


def codes(draft: Draft) -> list[tuple[str, str]]:
    return [(p.code, draft.sources[p.span.file].text[p.span.start : p.span.end]) for p in draft.problems]


# -- the root ---------------------------------------------------------------------------------------


def doc(body: str = "", kind: str = "article") -> str:
    return f"\\documentclass{{{kind}}}\\begin{{document}}{body}\\end{{document}}\n"


IN_MACRO = "\\newcommand{\\alone}{\n\\documentclass{article}\\begin{document}}\n"
ZEBRA = {
    "preamble.tex": "\\documentclass{book}\\usepackage{natbib}",
    "zebra.tex": "\\input{preamble}\n\\begin{document}\\chapter{One}\\input{part}\\end{document}",
    "part.tex": "Words.",
}
# The files, which of them is opened, and the root document that it belongs to.
ROOTS: dict[str, tuple[dict[str, str], str, str]] = {
    "a document": ({"main.tex": doc(), "other.tex": doc("\\input{main}")}, "main.tex", "main.tex"),
    "a comment": (
        {"top.tex": doc(), "other.tex": doc(), "sub/part.tex": "%!TeX root=../top.tex\n"},
        "sub/part.tex",
        "top.tex",
    ),
    "a comment in other letters": (
        {"top.tex": doc(), "other.tex": doc(), "sub/part.tex": "%% !tex root = ../top.tex  \n"},
        "sub/part.tex",
        "top.tex",
    ),
    "no figure built by itself": (
        {"mine.tex": doc(), "figures/a.tex": doc(kind="standalone")},
        ".",
        "mine.tex",
    ),
    "the document that includes it": (
        {"near/main.tex": doc(), "near/part.tex": "Words.", "far/thesis.tex": doc("\\input{../near/part}")},
        "near/part.tex",
        "far/thesis.tex",
    ),
    "the nearest that includes it": (
        {
            "v1/main.tex": doc("\\input{../shared/part}"),
            "shared/main.tex": doc("\\input{part}"),
            "shared/part.tex": "Words.",
        },
        "shared/part.tex",
        "shared/main.tex",
    ),
    "the nearest, if none includes it": (
        {"a/main.tex": doc(), "b/main.tex": doc(), "b/new.tex": "New words."},
        "b/new.tex",
        "b/main.tex",
    ),
    "a class inside a macro makes no document": (
        {"header.tex": IN_MACRO, "main.tex": doc("\\input{header}")},
        "header.tex",
        "main.tex",
    ),
    "the class in an included preamble": (ZEBRA, "part.tex", "zebra.tex"),
    "opened at that preamble": (ZEBRA, "preamble.tex", "zebra.tex"),
    "a subfile": (
        {
            "main.tex": doc("\\subfile{parts/one}"),
            "parts/one.tex": doc().replace("{article}", "[../main]{subfiles}"),
        },
        "parts/one.tex",
        "main.tex",
    ),
    "a bibliography": (
        {"a.tex": doc(), "b.tex": doc("\\bibliography{x}"), "x.bib": "@misc{k, title={T}}"},
        "x.bib",
        "b.tex",
    ),
    "a fragment alone": ({"only.tex": "\\section{A} Words."}, "only.tex", "only.tex"),
}


@pytest.mark.parametrize("case", ROOTS)
def test_which_document_a_file_belongs_to(tmp_path: Path, case: str) -> None:
    files, opened, root = ROOTS[case]
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    draft = read(tmp_path / opened, tmp_path)
    assert draft.root == tmp_path / root and not draft.note
    assert bool(draft.doubt) == (case == "the nearest, if none includes it")


THESIS = "\\documentclass{book}\\begin{document}%s\\bibliography{refs}\\end{document}"


@pytest.mark.parametrize("included", [True, False])
@pytest.mark.parametrize("levels", [1, 2, 3])
def test_a_comment_names_a_document_above_where_nothing_marks_the_project(
    tmp_path: Path, levels: int, included: bool
) -> None:
    """A nearer folder holds a letter of its own. What the comment names is followed at most two folders up if it
    includes the file; if it is not followed, it is said why."""
    folders = ["chapters", "one", "two"][:levels]
    part = tmp_path.joinpath(*folders, "part.tex")
    part.parent.mkdir(parents=True)
    name = "../" * levels + "main.tex"
    part.write_text(f"% !TEX root = {name}\nWords.\n")
    write(tmp_path, chapters___letter__tex=DOCUMENT % ("Letter", ""), refs__bib="@misc{a, title={T}}")
    (tmp_path / "main.tex").write_text(THESIS % (f"\\input{{{'/'.join(folders)}/part}}" if included else ""))
    draft = read_draft(part, programs=False)
    if included and levels <= 2:
        assert draft.root == tmp_path / "main.tex" and draft.bibliographies[0].entries and not draft.doubt
    else:
        assert draft.root == part and str(tmp_path / "main.tex") in draft.doubt
        assert ("root-comment", name) in codes(draft)


def test_the_home_folder_is_no_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, main__tex=THESIS % "", sub___letter__tex=DOCUMENT % ("A", ""))
    write(tmp_path, sub___part__tex="% !TEX root = ../main.tex\nWords.\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    assert read_draft(tmp_path / "sub" / "part.tex", programs=False).root.name == "part.tex"


@pytest.mark.parametrize("included", [True, False])
def test_a_comment_that_names_what_is_not_there(tmp_path: Path, included: bool) -> None:
    write(tmp_path, main__tex=DOCUMENT % ("A", "\\input{part}" if included else ""))
    write(tmp_path, part__tex="% !TEX root = mian.tex\nWords.\n")
    draft = read_draft(tmp_path / "part.tex", programs=False)
    if included:
        assert draft.root.name == "main.tex" and not draft.doubt
        assert codes(draft) == [("root-comment", "mian.tex")]
    else:
        assert "mian.tex as its root document, which does not exist" in draft.doubt


@pytest.mark.parametrize(
    ("files", "root", "doubted", "said"),
    [
        (["main", "old/paper"], "main", False, "old/paper.tex"),
        (["main", "supplement"], "main", False, "supplement.tex"),
        (["one/main", "two/main"], "one/main", True, "one/main.tex, two/main.tex"),
        (["one/paper", "two/main"], "two/main", True, "one/paper.tex"),
        (["two/main", *(f"z{n}/a" for n in range(7))], "two/main", True, "and 3 more"),
        (["thesis", "figures/a", "figures/b"], "thesis", False, "figures/a.tex, figures/b.tex"),
    ],
)
def test_which_document_of_a_folder(
    tmp_path: Path, files: list[str], root: str, doubted: bool, said: str
) -> None:
    for name in files:
        write(tmp_path, **{f"{name}__tex".replace("/", "___"): DOCUMENT % ("A", "")})
    draft = read(tmp_path, tmp_path)
    assert draft.root == tmp_path / f"{root}.tex"
    assert said in (draft.doubt if doubted else draft.note) and bool(draft.doubt) == doubted


def test_magic_comments_that_name_each_other_end(tmp_path: Path) -> None:
    write(tmp_path, a__tex="% !TEX root = b.tex\n", b__tex="% !TEX root = a.tex\n")
    assert read(tmp_path / "a.tex", tmp_path).root.name in ("a.tex", "b.tex")


def test_a_document_in_a_folder_above_is_not_the_root_of_all_below(tmp_path: Path) -> None:
    """Without a workspace nobody said that they belong together: the section must not go there."""
    write(tmp_path, other__tex=DOCUMENT % ("Another paper", ""), new___part__tex="New words.")
    (tmp_path / "refs.bib").write_text("")
    assert read_draft(tmp_path / "new" / "part.tex", programs=False).root.name == "part.tex"
    write(tmp_path, other__tex=DOCUMENT % ("The same paper", "\\input{new/part}"))
    assert read_draft(tmp_path / "new" / "part.tex", programs=False).root.name == "other.tex"


def test_setting_names_the_root(tmp_path: Path) -> None:
    write(tmp_path, a__tex=DOCUMENT % ("A", ""), b__tex=DOCUMENT % ("B", "\\input{part}"), part__tex="x")
    assert read(tmp_path / "part.tex", tmp_path, root=tmp_path / "a.tex").root.name == "a.tex"
    with pytest.raises(NoRoot, match="does not exist"):
        read(tmp_path / "part.tex", tmp_path, root=tmp_path / "gone.tex")


# -- inclusions -------------------------------------------------------------------------------------


def test_inclusions_in_reading_order(tmp_path: Path) -> None:
    body = r"""\input{one} \input two \include{sub dir/three}% \input{no}
\import{sub dir/}{four} \subimport*{sub dir}{five} \InputIfFileExists{gone}{}{} \input{"six.tex"}
\newcommand{\folder}{sub dir}\input{\folder/seven}"""
    write(tmp_path, main__tex=DOCUMENT % ("A", body), one__tex="1", two__tex="2", six__tex="6")
    sub = {"three": "3", "four": "4 \\input{deep}", "five": "5", "seven": "7", "deep": "4b"}
    for name, text in sub.items():
        (tmp_path / "sub dir").mkdir(exist_ok=True)
        (tmp_path / "sub dir" / f"{name}.tex").write_text(text)
    draft = read(tmp_path / "main.tex", tmp_path)
    assert " ".join(p.text for p in draft.pages).split() == "1 2 3 4 4b 5 6 7".split()
    assert draft.missing == ()


def test_missing_and_guarded_files(tmp_path: Path) -> None:
    body = "\\input{chapters/gone}\n\\IfFileExists{version.tex}{\\input{version.tex}}{}\\input{#1}\\input{\\unknown}"
    write(tmp_path, main__tex=DOCUMENT % ("A", body))
    draft = read(tmp_path / "main.tex", tmp_path)
    assert codes(draft) == [("missing-file", "chapters/gone")]
    assert draft.missing == ("chapters/gone",)


def test_cycles_end(tmp_path: Path) -> None:
    write(
        tmp_path,
        main__tex=DOCUMENT % ("A", "\\input{a}"),
        a__tex="a \\input{b}",
        b__tex="b \\input{a}\\input{main}\\input{b}",
    )
    assert names(read(tmp_path / "b.tex", tmp_path)) == ["main.tex", "a.tex", "b.tex"]


def test_includeonly_leaves_text_out_and_keeps_the_file(tmp_path: Path) -> None:
    text = (
        "\\documentclass{book}\\includeonly{one}\\begin{document}\\include{one}\\include{two}\\end{document}"
    )
    write(
        tmp_path, main__tex=text, one__tex="\\chapter{One} 1 \\cite{a}", two__tex="\\chapter{Two} 2 \\cite{b}"
    )
    draft = read(tmp_path / "main.tex", tmp_path)
    assert [p.text for p in draft.pages] == ["1"]
    assert [h.title for h in draft.headings] == ["One"]
    assert names(draft) == ["main.tex", "one.tex", "two.tex"]
    assert [c.key for c in draft.citations] == ["a", "b"]


def test_kpsewhich_is_asked_for_what_is_not_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program by that name on the PATH, which knows one file of the distribution and one of the user's."""
    home = tmp_path / "texmf" / "bibtex"
    home.mkdir(parents=True)
    (home / "mine.bib").write_text("@misc{k, title={T}}")
    program = tmp_path / "bin" / "kpsewhich"
    program.parent.mkdir()
    program.write_text(
        "#!/bin/sh\ncase $2 in\n mine.bib) echo " + str(home / "mine.bib") + ";;\n"
        " binhex.tex) echo /usr/share/texmf-dist/tex/generic/binhex.tex;;\n *) exit 1;;\nesac\n"
    )
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", str(program.parent), prepend=os.pathsep)
    project = tmp_path / "project"
    write(project, main__tex=DOCUMENT % ("A", "\\cite{k}\\input{binhex}\\input{gone}\\bibliography{mine}"))
    draft = read_draft(project / "main.tex", workspace=project)
    assert codes(draft) == [("missing-file", "gone")]
    assert [e.key for b in draft.bibliographies for e in b.entries] == ["k"]
    assert {c for c, _ in codes(read(project / "main.tex", project))} == {
        "missing-file",
        "undefined-citation",
    }


# -- what must not be read --------------------------------------------------------------------------


def test_devices_folders_pipes_and_loops_are_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.tex")
    (tmp_path / "folder.tex").mkdir()
    (tmp_path / "loop.tex").symlink_to(tmp_path / "loop.tex")
    (tmp_path / "one").symlink_to(tmp_path / "two")
    (tmp_path / "two").symlink_to(tmp_path / "one")
    body = "\\input{/dev/zero}\\input{/dev/stdin}\\input{pipe}\\input{folder}\\input{loop}\\input{one/x}\\input{a\0b}Words."
    write(tmp_path, main__tex=DOCUMENT % ("A", body + "\\bibliography{/dev/zero,pipe}"))
    draft = read(tmp_path / "main.tex", tmp_path)
    assert draft.pages[0].text == "Words."
    assert draft.files == (tmp_path / "main.tex",)
    assert {p.code for p in draft.problems} == {"missing-file"}


def test_a_folder_that_links_to_itself(tmp_path: Path) -> None:
    write(
        tmp_path, main__tex=DOCUMENT % ("A", "\\input{again/again/part}"), part__tex="Words.", alone__tex="x"
    )
    (tmp_path / "again").symlink_to(tmp_path, target_is_directory=True)
    assert read(tmp_path / "alone.tex", tmp_path).root.name == "main.tex"
    assert read(tmp_path / "main.tex", tmp_path).pages[0].text == "Words."


def test_open_buffers_win(tmp_path: Path) -> None:
    write(tmp_path, main__tex=DOCUMENT % ("A", "\\input{part}"), part__tex="Old words.")
    (tmp_path / "link").symlink_to(tmp_path, target_is_directory=True)
    overlay = {
        tmp_path / "link" / "part.tex": "New words.",
        tmp_path / "fresh.tex": DOCUMENT % ("A", "Unsaved."),
    }
    assert read(tmp_path / "main.tex", tmp_path, overlay=overlay).pages[0].text == "New words."
    assert read(tmp_path / "fresh.tex", tmp_path, overlay=overlay).pages[0].text == "Unsaved."
