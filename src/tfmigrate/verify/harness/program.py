# ruff: noqa: B905, TID252  (runs before Python 3.10, in a package of another name)
"""Runs the user's script as `__main__` under the hooks of its side, and leaves the trace complete however the script
ends.
"""

import atexit
import builtins
import importlib
import os
import signal
import sys
import threading
import traceback
import types
from typing import Any, Dict, Optional

from . import settings as settings_module
from .frames import Frames
from .outside import Outside
from .recorder import Recorder
from .stopping import Stop, Stopper, leave


class Program(object):
    """One run, from the import of TensorFlow to the last record."""

    def __init__(self, settings: settings_module.Settings) -> None:
        self.settings = settings
        self.recorder = Recorder(settings.out)
        self.frames = Frames(settings.root)
        self.stopper = Stopper(settings, self.recorder.clock.now, self.finish)
        self.environment: Dict[str, Any] = {}
        self.problem: Optional[str] = None
        self.side: Any = None
        self.alignment: Any = None
        self.outside: Optional[Outside] = None
        self.variables: Any = None
        self._finished = False
        self._process = os.getpid()

    def prepare(self) -> None:
        """Imports TensorFlow, seeds, installs the hooks."""
        atexit.register(self.finish)
        wrapped = os._exit

        def exit_now(code: int) -> Any:
            if os.getpid() == self._process:
                self.finish()
            wrapped(code)

        os._exit = exit_now  # type: ignore[assignment]
        signal.signal(signal.SIGTERM, self._terminated)
        if self.settings.oracle == "compat":
            from . import compat

            real = compat.install()
        else:
            real = importlib.import_module("tensorflow")
        self.environment.update(
            seed=self.settings.seed,
            tensorflow=real.__version__,
            python=sys.version.split()[0],
            numpy=sys.modules["numpy"].__version__,
        )
        from . import seeds

        alignment = self.alignment = seeds.install(self.settings)
        from .transplant import Variables, load_legacy

        legacy = load_legacy(self.settings.initial)
        if self.settings.side == "before":
            from .before import Sessions

            self.side = Sessions(self.recorder, self.frames, self.stopper, self.settings.record, alignment, legacy)
            if alignment is not None:
                alignment.graphs = self.side.graphs
        else:
            from .after import Functions

            self.variables = Variables(self.recorder, legacy, self.settings.pairs, self.settings.record)
            self.variables.install()
            self.side = Functions(
                self.recorder, self.frames, self.stopper, self.settings.record, alignment, self.variables
            )
        self.side.install()
        self.outside = Outside(self.settings.root)
        self.outside.install()

    def run(self) -> int:
        """Executes the script; its exit code."""
        path = os.path.join(self.settings.root, self.settings.entry.replace("/", os.sep))
        folder = os.path.dirname(path)
        os.chdir(folder)
        sys.argv[:] = [os.path.basename(path)] + self.settings.args
        sys.path.insert(0, folder)
        if os.path.realpath(folder) != os.path.realpath(self.settings.root):
            sys.path.append(self.settings.root)
        module = types.ModuleType("__main__")
        module.__dict__.update(__file__=path, __builtins__=builtins, __spec__=None, __loader__=None)
        sys.modules["__main__"] = module
        from . import seeds

        seeds.start(self.settings.seed)
        self.recorder.clock.__init__()  # type: ignore[misc]
        self.recorder.write("start")
        try:
            with open(path, "rb") as stream:
                code = compile(stream.read(), path, "exec", dont_inherit=True)
            exec(code, module.__dict__)
            self._join()
            return 0
        except Stop:
            return 0
        except SystemExit as problem:
            if self.stopper.reason is not None:
                return 0
            return self._code(problem)
        except BaseException as problem:
            if self.stopper.reason is not None:
                return 0  # what `finally` blocks met after the stop is not the program's failure
            self.problem = "%s: %s" % (type(problem).__name__, str(problem)[:2000])
            self._show(problem)
            return 130 if isinstance(problem, KeyboardInterrupt) else 1

    @staticmethod
    def _code(problem: SystemExit) -> int:
        if problem.code is None:
            return 0
        if isinstance(problem.code, int):
            return problem.code
        sys.stderr.write(str(problem.code) + "\n")
        return 1

    @staticmethod
    def _show(problem: BaseException) -> None:
        """The traceback as Python prints it, without the harness' own frames."""
        trace = problem.__traceback__
        here = os.path.dirname(os.path.abspath(__file__))
        while trace is not None and trace.tb_frame.f_code.co_filename.startswith(here):
            trace = trace.tb_next
        traceback.print_exception(type(problem), problem, trace)

    def _join(self) -> None:
        """Waits for the program's own threads, as the interpreter does at its end."""
        for thread in threading.enumerate():
            if thread is not threading.current_thread() and not thread.daemon and self.stopper.reason is None:
                thread.join()

    def _terminated(self, number: int, frame: Any) -> None:
        # The main thread may be anywhere, in a kernel or holding a lock: nothing more is read from TensorFlow.
        self._finished = True
        self._end("terminated")
        leave(143)

    def finish(self) -> None:
        """Writes variables, files and the end record, once."""
        if self._finished or os.getpid() != self._process:
            return
        self._finished = True
        for stage in (self._finish_variables, self._finish_files):
            try:
                stage()
            except Exception as problem:
                self.environment.setdefault("harness", []).append("%s: %s" % (type(problem).__name__, problem))
        self._end(self.stopper.reason)

    def _finish_variables(self) -> None:
        if self.alignment is not None:
            self.environment["draws"] = self.alignment.drawn
        if self.variables is not None:
            self.variables.finish()
            self.environment["pairing"] = self.variables.pairing()
        elif self.side is not None:
            self.side.finish()

    def _finish_files(self) -> None:
        if self.settings.record:
            from . import checkpoints

            if self.outside is not None:
                self.outside.finish()
            for path, values in checkpoints.read_all(self.settings.root, self.recorder):
                self.recorder.write("checkpoint", path=path, values=values)

    def _end(self, reason: Optional[str]) -> None:
        self.recorder.write(
            "end",
            reason=reason,
            problem=self.problem,
            seconds=self.recorder.clock.now(),
            peak=_peak(),
            counted=self.stopper.counted,
            stopped_at=self.stopper.stopped_at,
            environment=self.environment,
        )
        self.recorder.close()


def _peak() -> int:
    """Bytes of memory this process held at most."""
    try:
        import resource
    except ImportError:
        return 0
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def main(path: str) -> None:
    """Runs what the settings file at `path` asks for and exits with the program's code."""
    program = Program(settings_module.load(path))
    try:
        program.prepare()
    except ImportError as problem:
        program.problem = "ImportError: %s" % problem
        traceback.print_exc()
        sys.exit(1)
    sys.exit(program.run())
