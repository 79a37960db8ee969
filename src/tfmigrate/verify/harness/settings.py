"""What the host asks of one run, as it stands in the JSON file that the child gets."""

import json
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

Settings = NamedTuple(
    "Settings",
    [
        ("root", str),  # the copy of the project's folder
        ("entry", str),  # the script, relative to root
        ("out", str),  # where events.jsonl and values.bin go
        ("side", str),  # before | after
        ("oracle", str),  # tf1 | compat | tf2
        ("record", bool),  # values and alignment; else times only
        ("max_steps", int),  # runs of one site, then a clean stop
        (
            "stop_at",
            Dict[str, int],
        ),  # {"runs": n}: stop when the (n + 1)-th counted run is asked for, whatever max_steps
        ("soft_limit", Optional[float]),  # seconds of the program after which the next counted run stops it
        ("args", List[str]),
        ("initial", Optional[str]),  # folder of the before-run's trace, whose initial values are put in
        ("pairs", List[Tuple[str, str]]),  # (legacy name, object path)
        ("step_names", Optional[List[str]]),  # functions whose calls are counted; None: all
        (
            "counted_sites",
            Optional[List[Tuple[str, int]]],
        ),  # places whose runs are counted; None: judged by the fetches
        ("read_sites", List[Tuple[str, int]]),  # counted places where runs that only read stand too
        ("initializer_sites", List[Tuple[str, int]]),  # counted places where variables or iterators are started too
        ("loop_sites", List[Tuple[str, int]]),  # counted places in loops: each shall be run twice before the stop
        ("seed", int),
    ],
)


def load(path: str) -> Settings:
    """The settings in the JSON file at `path`."""
    with open(path) as stream:
        data: Dict[str, Any] = json.load(stream)
    for name in ("pairs", "counted_sites", "read_sites", "initializer_sites", "loop_sites"):
        if data[name] is not None:
            data[name] = [tuple(item) for item in data[name]]
    return Settings(**data)
