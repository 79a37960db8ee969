"""Entry of the child process: loads this folder as a package of its own name, so that no name of ours meets one of the
user's.
"""

import importlib.util
import os
import sys


def _main() -> None:
    folder = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [path for path in sys.path if os.path.abspath(path or os.curdir) != folder]
    name = "_tfmigrate_harness"
    spec = importlib.util.spec_from_file_location(
        name, os.path.join(folder, "__init__.py"), submodule_search_locations=[folder]
    )
    if spec is None or spec.loader is None:
        raise ImportError("cannot load " + folder)
    package = importlib.util.module_from_spec(spec)
    sys.modules[name] = package
    spec.loader.exec_module(package)
    importlib.import_module(name + ".program").main(sys.argv[1])


_main()
