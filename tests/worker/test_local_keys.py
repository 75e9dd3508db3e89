"""The keys that a service makes for itself."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from mextrain_service.application.callers import PlatformCaller
from mextrain_service.application.model import PlatformId
from mextrain_service.auth.api_keys import ApiKeys
from mextrain_service.local.local_keys import LOCAL_PLATFORM, kept_keys, new_keys


def test_new_keys_differ_each_time() -> None:
    assert new_keys() != new_keys()


def test_a_new_platform_key_is_accepted_by_its_own_digest() -> None:
    keys = new_keys()
    platform, _, digest = keys.platform_entry().partition(":")
    accepted = ApiKeys({PlatformId(platform): [bytes.fromhex(digest)]})
    assert accepted.caller(keys.platform_key) == PlatformCaller(LOCAL_PLATFORM)


def test_kept_keys_are_the_same_again_and_readable_by_their_user_only(tmp_path: Path) -> None:
    first = kept_keys(tmp_path)
    assert kept_keys(tmp_path) == first
    (path,) = tmp_path.iterdir()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_kept_keys_are_not_made_anew_when_their_file_is_damaged(tmp_path: Path) -> None:
    kept_keys(tmp_path)
    (path,) = tmp_path.iterdir()
    path.write_text("{}")
    with pytest.raises(ValueError, match="does not hold keys"):
        kept_keys(tmp_path)
