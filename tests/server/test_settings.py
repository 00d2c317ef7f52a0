"""Settings: declared once, bad ones named and defaulted, machine ones never from a workspace."""

from __future__ import annotations

from pathlib import Path

import pytest
from texgeist_server.config.credentials import Keys, keys_from_environment
from texgeist_server.config.settings import Settings
from texgeist_server.config.user_file import BadSetting, set_in
from texgeist_server.config.values import declared, read_settings


def test_every_setting_is_described() -> None:
    for setting in declared():
        assert setting.field.description, setting.path


def test_nothing_leaves_the_machine_by_default() -> None:
    settings = Settings()
    assert settings.writer.provider == "extractive"
    assert settings.index.location == "library"
    assert settings.papers.arxiv == "auto"


def test_nested_dotted_and_snake_case_names_mean_the_same() -> None:
    nested, _ = read_settings({"relatedWork": {"breadth": 4}})
    dotted, _ = read_settings({"texgeist.relatedWork.breadth": 4})
    snake, _ = read_settings({"related_work": {"breadth": 4}})
    assert nested == dotted == snake
    assert nested.related_work.breadth == 4


@pytest.mark.parametrize(
    ("data", "named"),
    [
        ({"relatedWork": {"breadth": 0}}, "texgeist.relatedWork.breadth"),
        ({"relatedWork": {"breadth": "many"}}, "texgeist.relatedWork.breadth"),
        ({"relatedWork": {"until": "2020-13"}}, "texgeist.relatedWork.until"),
        ({"relatedWork": {"breath": 3}}, "texgeist.relatedWork.breath"),
        ({"relatedWork": 3}, "texgeist.relatedWork"),
        ({"papers": {"folders": ["a", 3]}}, "texgeist.papers.folders"),
        ({"nonsense": True}, "texgeist.nonsense"),
        ({"storage": {"folder": "/papers"}}, "TEXGEIST_DATA"),
    ],
)
def test_a_bad_value_is_named_and_the_others_hold(data: dict[str, object], named: str) -> None:
    settings, problems = read_settings({**data, "writer": {"model": "m"}})
    assert len(problems) == 1
    assert named in problems[0]
    assert settings.writer.model == "m"
    assert settings.related_work.breadth == "auto"


def test_of_a_list_only_the_words_that_are_wrong_are_left_out(tmp_path: Path) -> None:
    settings, problems = read_settings(
        {"diagnostics": {"off": ["same-paper", "unusd", "unused"]}}, {"editor": {"show": ["lens", "hover"]}}
    )
    assert settings.diagnostics.off == ("same-paper", "unused") and settings.editor.show == ("hover",)
    assert problems == [
        "texgeist.diagnostics.off does not take 'unusd'. The other values are used.",
        "texgeist.editor.show does not take 'lens'. The other values are used.",
    ]
    with pytest.raises(BadSetting, match=r"^texgeist.diagnostics.off does not take 'unusd'.$"):
        set_in(tmp_path / "config.toml", "diagnostics.off", "['unused', 'unusd']")
    assert not (tmp_path / "config.toml").exists()
    assert set_in(tmp_path / "config.toml", "relatedWork.since", "2020") == '"2020"'  # a number stays text
    _, problems = read_settings({"diagnostics": {"off": "unused"}})
    assert problems == [
        "texgeist.diagnostics.off: Input should be a list, such as ['a', 'b']. The default is used."
    ]


def test_every_type_that_a_value_may_have_is_named() -> None:
    _, problems = read_settings({"relatedWork": {"breadth": 0}})
    reason = "Input should be 'auto', or input should be greater than or equal to 1"
    assert problems == [f"texgeist.relatedWork.breadth: {reason}. The default is used."]


def test_a_removed_setting_can_be_taken_out_of_the_file_and_not_set(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text("[writer]\nfallBack = true\nmodel = 'm'\n")
    with pytest.raises(BadSetting, match=r"no setting writer\.fallBack"):
        set_in(file, "texgeist.writer.fallBack", "true")
    assert set_in(file, "texgeist.writer.fallBack", None) == ""
    assert file.read_text() == "[writer]\nmodel = 'm'\n"


def test_a_removed_setting_that_moved_files_or_sent_nothing_names_what_replaces_it() -> None:
    _, problems = read_settings({"storage": {"folder": "/data"}, "papers": {"fullText": False}})
    assert ["TEXGEIST_DATA" in said for said in problems].count(True) == 1
    assert ["papers.arxiv" in said for said in problems].count(True) == 1


def test_a_workspace_cannot_redirect_text_or_keys() -> None:
    user = {"writer": {"provider": "openai", "baseUrl": "http://127.0.0.1:1"}}
    workspace = {
        "writer": {"baseUrl": "http://evil.example", "model": "x"},
        "index.location": "http://evil.example",
        "relatedWork": {"breadth": 5},
    }
    settings, problems = read_settings(user, workspace)
    assert settings.writer.base_url == "http://127.0.0.1:1"
    assert settings.index.location == "library"
    assert settings.related_work.breadth == 5
    assert len(problems) == 3


def test_a_workspace_cannot_reset_machine_settings_by_a_wrong_group() -> None:
    user = {"papers": {"arxiv": "never"}, "relatedWork": {"method": "citegeist"}}
    settings, problems = read_settings(user, {"papers": 3, "relatedWork": []})
    assert settings.papers.arxiv == "never" and settings.related_work.method == "citegeist"
    assert len(problems) == 2


def test_all_that_names_an_address_a_model_or_a_path_is_machine_level() -> None:
    groups = {"index", "embedding", "writer", "papers"}
    others = {("diagnostics", "unsupported"), ("relatedWork", "method"), ("evidence", "method")}
    for setting in declared():
        assert setting.machine == (setting.path[0] in groups or setting.path in others), setting.path


def test_a_workspace_cannot_have_sentences_sent_to_the_model_on_saving() -> None:
    settings, problems = read_settings(
        {"diagnostics": {"unsupported": "off"}}, {"diagnostics": {"unsupported": "all"}}
    )
    assert settings.diagnostics.unsupported == "off" and "diagnostics.unsupported" in problems[0]


def test_keys_come_from_the_environment_and_are_not_shown() -> None:
    keys = keys_from_environment({"ANTHROPIC_API_KEY": "sk-secret"})
    assert keys.of("anthropic") == "sk-secret"
    assert "sk-secret" not in repr(keys)
    assert Keys().having("openai", "k").of("openai") == "k"
