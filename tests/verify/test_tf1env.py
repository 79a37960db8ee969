"""Finding and making the TensorFlow 1.15 environment, with stand-ins for interpreters."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from tfmigrate.errors import InputError
from tfmigrate.verify import tf1env

STANDARD_DIRS = "/usr/bin:/bin"


def interpreter(
    path: Path, version: str = "3.7.16", packages: tuple[str, ...] = (), log: Path | None = None, code: int = 0
) -> Path:
    """A shell script that answers as a Python of that version; `-m venv DIR` copies itself there, `-m pip` logs its
    arguments.
    """
    answer = json.dumps({"python": version, "packages": list(packages)})
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        "#!/bin/sh\n"
        f"if [ \"$1\" = -c ]; then echo '{answer}'; exit 0; fi\n"
        'if [ "$2" = venv ]; then mkdir -p "$3/bin"; cp "$0" "$3/bin/python"; exit 0; fi\n'
        f'if [ "$2" = pip ]; then echo "$@" >> "{log or "/dev/null"}"; echo "Collecting tensorflow"; exit {code}; fi\n'
    )
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv(tf1env.VARIABLE, raising=False)
    monkeypatch.delenv("PYENV_ROOT", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", STANDARD_DIRS)
    return tmp_path


def test_nothing_installed(home: Path) -> None:
    assert tf1env.find() is None
    assert "tfmigrate tf1 install" in tf1env.status().problem


def test_no_python_37_is_an_input_error_with_advice(home: Path) -> None:
    with pytest.raises(InputError, match=r"no Python 3\.7.*pyenv install 3\.7"):
        list(tf1env.install())
    assert not tf1env.folder().exists()


def test_install_from_path(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log, wanted = home / "pip.log", home / "req.txt"
    wanted.write_text("scipy==1.4.1\n")
    interpreter(home / "bin" / "python3.7", packages=("tensorflow-1.15.5",), log=log)
    monkeypatch.setenv("PATH", f"{home / 'bin'}:{STANDARD_DIRS}")
    lines = list(tf1env.install(["gym==0.17.3"], wanted))
    assert "Collecting tensorflow" in lines
    asked = log.read_text()
    assert "tensorflow==1.15.5 protobuf<3.21 numpy<1.19 gym==0.17.3 -r" in asked
    found = tf1env.find()
    assert found is not None
    assert (found.origin, found.python) == ("cache", home / "cache" / "tfmigrate" / "tf1" / "bin" / "python")
    status = tf1env.status()
    assert (status.python, status.tensorflow, status.problem) == ("3.7.16", "1.15.5", "")


def test_installing_again_makes_no_second_environment(home: Path) -> None:
    interpreter(home / ".pyenv" / "versions" / "3.7.16" / "bin" / "python")
    first, second = list(tf1env.install()), list(tf1env.install(["scipy"]))
    assert "making a virtual environment" in first[0]
    assert not any("making a virtual environment" in line for line in second)


def test_a_shim_that_does_not_start_is_passed_over(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shim = home / "bin" / "python3.7"
    shim.parent.mkdir()
    shim.write_text("#!/bin/sh\nexit 127\n")
    shim.chmod(0o755)
    monkeypatch.setenv("PATH", f"{shim.parent}:{STANDARD_DIRS}")
    interpreter(home / ".pyenv" / "versions" / "3.7.9" / "bin" / "python", version="3.7.9")
    assert tf1env.find_python37() == home / ".pyenv" / "versions" / "3.7.9" / "bin" / "python"


def test_another_version_under_that_name_is_passed_over(home: Path) -> None:
    interpreter(home / ".pyenv" / "versions" / "3.7.1" / "bin" / "python", version="3.8.1")
    assert tf1env.find_python37() is None


def test_uv_is_asked(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    python = interpreter(home / "uv" / "python")
    uv = home / "bin" / "uv"
    uv.parent.mkdir()
    uv.write_text(f"#!/bin/sh\necho {python}\n")
    uv.chmod(0o755)
    monkeypatch.setenv("PATH", f"{uv.parent}:{STANDARD_DIRS}")
    assert tf1env.find_python37() == python


def test_a_failed_installation_is_told_and_not_found_later(home: Path) -> None:
    interpreter(home / ".pyenv" / "versions" / "3.7.16" / "bin" / "python", code=1)
    with pytest.raises(InputError, match="pip could not install"):
        list(tf1env.install())
    assert tf1env.find() is None


def test_the_variable_comes_first(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    python = interpreter(home / "mine" / "python", packages=("tensorflow-1.15.0", "numpy-1.18.5"))
    monkeypatch.setenv(tf1env.VARIABLE, str(python))
    assert tf1env.find() == tf1env.Tf1Environment(python, "variable")
    assert tf1env.status().tensorflow == "1.15.0"
    with pytest.raises(InputError, match=tf1env.VARIABLE):
        list(tf1env.install())
    monkeypatch.setenv(tf1env.VARIABLE, str(home / "nowhere"))
    with pytest.raises(InputError, match="no such interpreter"):
        tf1env.find()


def test_a_missing_requirements_file_is_an_input_error(home: Path) -> None:
    with pytest.raises(InputError, match="no such requirements file"):
        list(tf1env.install((), home / "none.txt"))
