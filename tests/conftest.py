"""Interpreters and browsers that some tests need: absent ones skip, or fail where TFMIGRATE_NO_SKIP=1 (CI)."""

from __future__ import annotations

import importlib.util
import os
import shutil
import signal
import sys
from pathlib import Path

import pytest
from hypothesis import settings

from tfmigrate.errors import InputError

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")

# A shell starts what it runs in the background with SIGINT ignored; the tests of Ctrl-C, and their children, need it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# No deadline: a busy machine is no defect. CI draws the same examples each time, so that a red run is a change's fault.
settings.register_profile("tfmigrate", deadline=None, derandomize=os.environ.get("TFMIGRATE_NO_SKIP") == "1")
settings.load_profile("tfmigrate")

_NEEDS = {"tf": "tf2_python", "tf1": "tf1_python", "chromium": "chromium_path"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A marked test needs what its marker says, whether or not it asks for the fixture."""
    for item in items:
        for marker, fixture in _NEEDS.items():
            if item.get_closest_marker(marker) and fixture not in getattr(item, "fixturenames", ()):
                item.fixturenames.append(fixture)  # type: ignore[attr-defined]


def _absent(what: str) -> None:
    if os.environ.get("TFMIGRATE_NO_SKIP") == "1":
        pytest.fail(f"{what} is absent, and TFMIGRATE_NO_SKIP=1 allows no skip")
    pytest.skip(f"{what} is absent")


@pytest.fixture(scope="session")
def tf2_python() -> Path:
    """An interpreter with the target TensorFlow: TFMIGRATE_TF2_PYTHON, else this one."""
    named = os.environ.get("TFMIGRATE_TF2_PYTHON")
    if named:
        return Path(named)
    if importlib.util.find_spec("tensorflow") is None:
        _absent("TensorFlow 2 (pip install -e '.[dev]')")
    return Path(sys.executable)


@pytest.fixture(scope="session")
def tf1_python() -> Path:
    """The interpreter of the real TensorFlow 1.15."""
    from tfmigrate.verify import tf1env

    try:
        found = tf1env.find()
    except InputError as error:
        pytest.fail(str(error))
    if found is None:
        _absent("TensorFlow 1.15 (tfmigrate tf1 install)")
    assert found is not None
    return found.python


@pytest.fixture(scope="session")
def chromium_path() -> Path:
    """A Chromium with its driver beside it on PATH."""
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None or shutil.which("chromedriver") is None:
        _absent("Chromium and its driver (Debian: chromium, chromium-driver)")
    return Path(str(found))
