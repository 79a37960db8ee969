"""Takes back the local names that planning gave to what an object keeps: `w = …; self.w = w` is `self.w = …` again.

Only where the source had no such local, and nothing else in the method binds it.
"""

from __future__ import annotations

import libcst as cst

from tfmigrate.rewrite.nodes import code


def taken_back(module: cst.Module, source: str) -> cst.Module:
    """The module with attributes in the place of locals that stand for them."""
    made = module.visit(_Methods(source))
    assert isinstance(made, cst.Module)
    return made


class _Methods(cst.CSTTransformer):
    """Goes through the methods of classes."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.source = source
        self.inside: list[cst.CSTNode] = []

    def visit_ClassDef(self, node: cst.ClassDef) -> None:
        self.inside.append(node)

    def leave_ClassDef(self, original_node: cst.ClassDef, updated_node: cst.ClassDef) -> cst.ClassDef:
        self.inside.pop()
        return updated_node

    def visit_FunctionDef(self, node: cst.FunctionDef) -> None:
        self.inside.append(node)

    def leave_FunctionDef(self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef) -> cst.FunctionDef:
        self.inside.pop()
        parameters = [*updated_node.params.posonly_params, *updated_node.params.params]
        if not (self.inside and isinstance(self.inside[-1], cst.ClassDef) and parameters):
            return updated_node
        own = parameters[0].name.value
        finder = _Bindings(own)
        updated_node.body.visit(finder)
        names = {
            local: attribute
            for attribute, local in finder.handed_out.items()
            if finder.bound.get(local) == 1
            and finder.written.get(attribute) == 1
            and f"{own}.{attribute} = {local}" not in self.source
            and local not in {p.name.value for p in parameters}
        }
        if not names:
            return updated_node
        body = updated_node.body.visit(_Rename(own, names))
        assert isinstance(body, cst.BaseSuite)
        return updated_node.with_changes(body=body)


class _Bindings(cst.CSTVisitor):
    """Counts what a method binds, in nested functions too."""

    def __init__(self, own: str) -> None:
        super().__init__()
        self.own = own
        self.bound: dict[str, int] = {}
        self.written: dict[str, int] = {}
        self.handed_out: dict[str, str] = {}

    def visit_Assign(self, node: cst.Assign) -> None:
        target = node.targets[0].target
        if (
            len(node.targets) == 1
            and isinstance(node.value, cst.Name)
            and isinstance(target, cst.Attribute)
            and code(target.value) == self.own
        ):
            self.handed_out[target.attr.value] = node.value.value

    def visit_AssignTarget(self, node: cst.AssignTarget) -> None:
        if isinstance(node.target, cst.Name):
            self._bind(node.target.value)
        elif isinstance(node.target, cst.Attribute) and code(node.target.value) == self.own:
            name = node.target.attr.value
            self.written[name] = self.written.get(name, 0) + 1
        elif isinstance(node.target, (cst.Tuple, cst.List)):
            self._several(node.target)

    def _several(self, node: cst.BaseExpression) -> None:
        """Names bound together with others stay as they are."""
        if isinstance(node, cst.Name):
            self._bind(node.value, 2)
        elif isinstance(node, (cst.Tuple, cst.List)):
            for element in node.elements:
                self._several(element.value)

    def _bind(self, name: str, times: int = 1) -> None:
        self.bound[name] = self.bound.get(name, 0) + times

    def visit_Param(self, node: cst.Param) -> None:
        self._bind(node.name.value, 2)

    def visit_AugAssign(self, node: cst.AugAssign) -> None:
        self._several(node.target)

    def visit_AnnAssign(self, node: cst.AnnAssign) -> None:
        self._several(node.target)

    def visit_For(self, node: cst.For) -> None:
        self._several(node.target)

    def visit_CompFor(self, node: cst.CompFor) -> None:
        self._several(node.target)

    def visit_AsName(self, node: cst.AsName) -> None:
        self._several(node.name)

    def visit_NamedExpr(self, node: cst.NamedExpr) -> None:
        self._several(node.target)

    def visit_FunctionDef(self, node: cst.FunctionDef) -> None:
        self._bind(node.name.value, 2)

    def visit_Del(self, node: cst.Del) -> None:
        self._several(node.target)

    def visit_Global(self, node: cst.Global) -> None:
        for item in node.names:
            self._several(item.name)

    def visit_Nonlocal(self, node: cst.Nonlocal) -> None:
        for item in node.names:
            self._several(item.name)


class _Rename(cst.CSTTransformer):
    """Puts attributes in the place of locals."""

    def __init__(self, own: str, names: dict[str, str]) -> None:
        super().__init__()
        self.own, self.names = own, names
        self.kept: set[cst.CSTNode] = set()

    def visit_Attribute(self, node: cst.Attribute) -> None:
        self.kept.add(node.attr)

    def visit_Arg(self, node: cst.Arg) -> None:
        if node.keyword is not None:
            self.kept.add(node.keyword)

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.BaseExpression:
        attribute = self.names.get(original_node.value)
        if attribute is None or original_node in self.kept:
            return updated_node
        return cst.Attribute(cst.Name(self.own), cst.Name(attribute), lpar=updated_node.lpar, rpar=updated_node.rpar)

    def leave_SimpleStatementLine(
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> cst.SimpleStatementLine | cst.RemovalSentinel:
        """`self.w = w` has become `self.w = self.w`."""
        small = updated_node.body[0]
        if (
            isinstance(small, cst.Assign)
            and len(small.targets) == 1
            and isinstance(small.value, cst.Attribute)
            and code(small.targets[0].target) == code(small.value)
            and small.value.attr.value in self.names.values()
        ):
            return cst.RemovalSentinel.REMOVE
        return updated_node
