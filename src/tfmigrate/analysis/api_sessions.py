"""Sessions, graphs, their options, and the program's start."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.api import Args, handles
from tfmigrate.analysis.calls import call_with_unknown
from tfmigrate.analysis.values import Config, Function, Graph, Host, Operation, Session, Value

if TYPE_CHECKING:
    from tfmigrate.analysis.interpreter import Interpreter


@handles("Session", "InteractiveSession", "train.Session")
def session(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Value:
    """A session."""
    target = interp.eval(args["target"]) if "target" in args else None
    given = {name: interp.eval(argument) for name, argument in args.items() if name != "target"}
    if target is not None and not (isinstance(target, Host) and target.literal in ("", None)):
        interp.refuse("TFM121", node, "a session on a remote server")
    made = Session(legacy_name=symbol, graph=interp.graph_number(given.get("graph")))
    interp.made(made, node)
    if symbol == "InteractiveSession":
        interp.interactive = made
    return made


@handles("get_default_session")
def default_session(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Value:
    """The session that is entered now."""
    if interp.sessions:
        return interp.sessions[-1]
    return interp.interactive if interp.interactive is not None else Session()


@handles("Graph", "get_default_graph", "reset_default_graph")
def graph(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Value:
    """A graph. A fresh one begins with fresh names."""
    if symbol == "reset_default_graph":
        interp.fresh_graph()
        return Operation(kind="no_op")
    made = Graph(default=symbol == "get_default_graph")
    interp.made(made, node)
    return made


@handles("ConfigProto", "GPUOptions")
def config(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Value:
    """Options of a session."""
    made = Config()
    for name, argument in args.items():
        value = interp.eval(argument)
        if isinstance(value, Config):
            made.settings.update({f"gpu_options.{key}": setting for key, setting in value.settings.items()})
        else:
            made.settings[name] = argument
    interp.made(made, node)
    return made


@handles("RunOptions", "RunMetadata")
def run_options(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Value:
    """Options of a run: dropped with it."""
    made = Config()
    interp.eval_named(args)
    interp.made(made, node)
    return made


@handles(
    "disable_v2_behavior",
    "disable_eager_execution",
    "enable_v2_behavior",
    "enable_resource_variables",
)
def behaviour(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Value:
    """Switches between TensorFlow 1's and 2's behaviour: gone."""
    return Operation(kind="no_op")


@handles("app.run")
def app_run(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Value:
    """tf.app.run(main): the program goes on in `main`."""
    values = interp.eval_arguments(node)
    main = next((v for v in values if isinstance(v, Function)), None)
    if main is None:
        named = interp.frame.module().names.get("main")
        main = named.value if named is not None and isinstance(named.value, Function) else None
    if main is not None:
        call_with_unknown(interp, main, node)
    return Host(None)
