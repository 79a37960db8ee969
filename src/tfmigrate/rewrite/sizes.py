"""Dimensions of tensors' static shapes that the build part needs: read off a variable or a specification."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.values import Placeholder
from tfmigrate.rewrite import nodes

if TYPE_CHECKING:
    from tfmigrate.rewrite.driver import DriverRewriter


def read(driver: DriverRewriter, original: cst.Subscript) -> cst.BaseExpression | None:
    """`hidden.get_shape()[1]` where there is no `hidden` any more: `weights.shape[1]`, say."""
    dimension = driver.facts.dimensions.get(original)
    if dimension is None:
        return None
    if isinstance(dimension.of, Placeholder):
        spec = driver.plan.spec_names.get(dimension.of)
        return nodes.expression(f"{spec}.shape[{dimension.index}]") if spec is not None else None
    if dimension.of is not None:
        text = driver.plan.text(dimension.of, None)
        return nodes.expression(f"{text}.shape[{dimension.index}]") if text is not None else None
    return driver.visited(dimension.node) if dimension.node is not None else None
