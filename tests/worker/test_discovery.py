"""Finding the service that runs on this machine."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from mextrain_service.local.discovery import Running, announced, find_running

_HERE = Running("127.0.0.1:7300", "mxk_local_x", "local", ("http://127.0.0.1:7390/metrics",), 1)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    return tmp_path / "mextrain"


def test_nothing_is_found_when_nothing_runs() -> None:
    assert find_running() is None


def test_a_service_is_found_while_it_is_announced_and_not_after() -> None:
    with announced(_HERE):
        assert find_running() == _HERE
    assert find_running() is None


def test_the_service_announced_last_is_found_when_there_are_two() -> None:
    other = Running("127.0.0.1:7301", "mxk_local_y")
    with announced(_HERE), announced(other):
        assert find_running() == other


def test_an_announcement_is_readable_by_its_user_only(folder: Path) -> None:
    with announced(_HERE) as path:
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_an_announcement_leaves_nothing_behind(folder: Path) -> None:
    with announced(_HERE):
        pass
    assert not folder.exists()


def test_an_announcement_of_a_dead_service_is_removed_and_not_believed(folder: Path) -> None:
    folder.mkdir(mode=0o700)
    left = folder / "7300.json"
    left.write_text(_HERE.to_json())
    assert find_running() is None
    assert not left.exists()


def test_an_announcement_is_not_believed_when_others_may_write_beside_it(folder: Path) -> None:
    with announced(_HERE):
        folder.chmod(0o777)
        assert find_running() is None


def test_a_service_is_not_announced_where_others_may_write(folder: Path) -> None:
    folder.mkdir()
    folder.chmod(0o777)
    with pytest.raises(PermissionError), announced(_HERE):
        pass
