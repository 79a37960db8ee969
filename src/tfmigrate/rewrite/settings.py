"""A session's settings that have a counterpart: memory growth, threads, placement."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.facts import Statement
from tfmigrate.analysis.values import Config, Host
from tfmigrate.rewrite import nodes

if TYPE_CHECKING:
    from tfmigrate.rewrite.driver import DriverRewriter

THREADS = {
    "intra_op_parallelism_threads": "set_intra_op_parallelism_threads",
    "inter_op_parallelism_threads": "set_inter_op_parallelism_threads",
}


def made(driver: DriverRewriter, statement: Statement) -> list[cst.BaseStatement]:
    """The settings of the configurations that the statement makes."""
    return [s for value in statement.made if isinstance(value, Config) for s in _written(driver, value)]


def inside(driver: DriverRewriter, item: cst.WithItem) -> list[cst.BaseStatement]:
    """The settings of the configurations written out in a session's call: `with tf.Session(config=ConfigProto(…)):`."""
    found: list[cst.BaseStatement] = []
    for argument in item.item.args if isinstance(item.item, cst.Call) else ():
        value = driver.facts.values.get(argument.value)
        if isinstance(value, Config) and isinstance(argument.value, cst.Call):
            found += _written(driver, value)
    return found


def _written(driver: DriverRewriter, config: Config) -> list[cst.BaseStatement]:
    """The settings as statements; a share of memory has no counterpart."""
    tf = driver.context.tf
    made: list[cst.BaseStatement] = []
    for name, node in config.settings.items():
        key = name.split(".")[-1]
        value = driver.facts.values.get(node)
        literal = value.literal if isinstance(value, Host) and value.known else None
        if key == "allow_growth" and literal is not False:
            made += nodes.statements(
                f'for gpu in {tf}.config.list_physical_devices("GPU"):\n'
                f"    {tf}.config.experimental.set_memory_growth(gpu, True)\n"
            )
        elif key in THREADS and literal not in (0, None):
            made += nodes.statements(f"{tf}.config.threading.{THREADS[key]}({literal})\n")
        elif key == "log_device_placement" and literal is True:
            made += nodes.statements(f"{tf}.debugging.set_log_device_placement(True)\n")
        elif key == "per_process_gpu_memory_fraction":
            driver.note(
                "TFM504",
                node,
                "a share of the GPU's memory has no counterpart; set a limit in megabytes with a logical device",
            )
    return made
