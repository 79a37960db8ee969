"""Lines that ask for an old TensorFlow."""

from __future__ import annotations

from pathlib import Path

import pytest

from tfmigrate.source.pins import old_tensorflow
from tfmigrate.source.tree import read


@pytest.mark.parametrize(
    ("name", "line", "found"),
    [
        ("requirements.txt", "tensorflow==1.15.5", True),
        ("requirements.txt", "tensorflow-gpu >= 1.4, < 2", True),
        ("requirements.txt", "tensorflow_gpu~=1.2", True),
        ("requirements.txt", "tensorflow==0.12.1", True),
        ("requirements-dev.txt", "tensorflow<=1.13", True),
        ("requirements/gpu.txt", "tensorflow==1.4", False),
        ("deploy/requirements.in", "tensorflow==1.4", True),
        ("setup.py", "    install_requires=['numpy', 'tensorflow>=1.0'],", True),
        ("environment.yml", "  - tensorflow=1.8", True),
        ("Pipfile", 'tensorflow = "==1.8.0"', True),
        ("Dockerfile", "FROM tensorflow/tensorflow:1.12.0-gpu-py3", True),
        ("Dockerfile.gpu", "RUN pip install tensorflow==1.12", True),
        ("requirements.txt", "tensorflow>=2.16", False),
        ("requirements.txt", "tensorflow", False),
        ("requirements.txt", "tensorflow==12.0", False),
        ("requirements.txt", "tensorflow-probability==0.7", False),
        ("requirements.txt", "# tensorflow==1.4", False),
        ("notes.txt", "tensorflow==1.4", False),
        ("train.py", "# needs tensorflow==1.4", False),
    ],
)
def test_old_pins_are_found_with_their_line(tmp_path: Path, name: str, line: str, found: bool) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("# first\n" + line + "\n")
    pins = old_tensorflow(read(tmp_path))
    assert [(p.place.path, p.place.line, p.text) for p in pins] == ([(name, 2, line.strip())] if found else [])
