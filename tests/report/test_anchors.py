"""Names of places in a report."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from tfmigrate.report.anchors import Anchors


def test_an_anchor_is_readable() -> None:
    assert Anchors().give("finding", "TFM301", "pkg/a b.py", 3) == "finding-TFM301-pkg-a-b.py-3"


@given(st.lists(st.tuples(st.sampled_from(["program", "file"]), st.text(max_size=6)), max_size=30))
def test_anchors_are_distinct_plain_and_the_same_every_time(names: list[tuple[str, str]]) -> None:
    one, two = Anchors(), Anchors()
    given_names = [one.give(*n) for n in names]
    assert len(set(given_names)) == len(given_names)
    assert given_names == [two.give(*n) for n in names]
    assert all(re.fullmatch(r"[A-Za-z0-9._-]+", n) for n in given_names)
