"""What the README shows runs as it is printed there."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys

from mextrain_service.local.self_started import self_started
from tests.project.tree import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_engine_examples_of_the_readme_run() -> None:
    outcome = doctest.testfile(str(ROOT / "README.md"), module_relative=False, encoding="utf-8")
    assert (0, True) == (outcome.failed, outcome.attempted > 0)


def test_first_call_of_the_readme_is_answered() -> None:
    (example,) = re.findall(r"^```python\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    with self_started() as running:
        here = example.replace("127.0.0.1:7300", running.endpoint)
        here = re.sub(r"mxk_[\w-]+", running.platform_key, here)
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", here],
            check=False,
            capture_output=True,
            text=True,
            timeout=60,
        )
    assert (0, "") == (done.returncode, done.stderr)
    assert re.fullmatch(r"(\d+-\d+@\S+ ?|draw|pass|It is Bob's turn\.)+\n", done.stdout)
