# SPDX-License-Identifier: Apache-2.0
"""python -m understudy export MODULE:FACTORY --out DIR

The factory takes nothing and returns the function, a tuple of its arguments, and optionally a
dictionary of its keyword arguments.
"""
from __future__ import annotations

import argparse
import importlib
import json
import os
import sys
from typing import Any, Optional, Sequence

from understudy._errors import ExportError
from understudy._export import export


def _pair(text: str) -> tuple[str, str]:
    left, sign, right = text.partition("=")
    if not (left and sign and right):
        raise argparse.ArgumentTypeError(f"expected NAME=VALUE, got {text!r}")
    return left, right


def _axis(text: str) -> tuple[str, int]:
    name, size = _pair(text)
    if not size.isdecimal() or int(size) < 1:
        raise argparse.ArgumentTypeError(f"expected AXIS=SIZE, a size of at least 1, got {text!r}")
    return name, int(size)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="understudy", description="The JAX side of understudy.")
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
    one = verbs.add_parser("export", help="write a program folder from a JAX function",
                           epilog="example: export train:make_step --out step --mesh data=8")
    one.add_argument("factory", metavar="MODULE:FACTORY", help="a function without arguments that "
                     "returns (function, arguments) or (function, arguments, keyword arguments)")
    one.add_argument("--out", required=True, metavar="DIR", help="folder that is written")
    one.add_argument("--mesh", type=_axis, action="append", metavar="AXIS=SIZE",
                     help="one axis of the mesh; repeatable")
    one.add_argument("--steps", type=int, default=1, metavar="N", help="steps of the results (1)")
    one.add_argument("--carry", type=_pair, action="append", metavar="RESULT=ARGUMENT",
                     help="a path of results that are arguments of the next step; repeatable")
    one.add_argument("--per-step", action="append", default=[], metavar="PATH",
                     help="an argument whose leading axis is the step; repeatable")
    one.add_argument("--platforms", default="tpu", metavar="LIST",
                     help="platforms of the lowering, separated by commas (tpu)")
    one.add_argument("--artifact", choices=("beside", "only"),
                     help="write the portable artifact in addition to the text, or instead of it")
    one.add_argument("--no-expect", action="store_true", help="compute no expected results")
    one.add_argument("--numerics", choices=("tpu", "ieee"), default="tpu",
                     help="mode for which tolerances are chosen (tpu)")
    one.add_argument("--deadline", type=float, default=300.0, metavar="SECONDS",
                     help="wall time for the expected results (300)")
    one.add_argument("--json", action="store_true", help="print JSON (understudy/exported/1)")
    return parser


def _made_by(factory: str) -> tuple[Any, tuple[Any, ...], dict[str, Any]]:
    module_name, _, name = factory.partition(":")
    if not module_name or not name:
        raise ExportError(f"expected MODULE:FACTORY, got {factory!r}")
    sys.path.insert(0, os.getcwd())  # as `python -m` does; a console script does not
    target: Any = importlib.import_module(module_name)
    for part in name.split("."):
        target = getattr(target, part)
    made = target()
    if not isinstance(made, tuple) or len(made) not in (2, 3) or not callable(made[0]):
        raise ExportError(f"{factory}: expected (function, arguments) or (function, arguments, "
                          f"keyword arguments), got {type(made).__name__}")
    function, arguments, *keywords = made
    return function, tuple(arguments), dict(keywords[0]) if keywords else {}


def _fail(error: Exception, as_json: bool) -> int:
    print(f"understudy: error: {error}", file=sys.stderr)
    if as_json:
        print(json.dumps({"schema": "understudy/error/1", "exit_code": 2, "kind": "usage",
                          "message": str(error), "place": None, "diagnosis": None, "notes": []},
                         indent=2))
    return 2


def main(words: Optional[Sequence[str]] = None) -> int:
    """Returns 0, or 2 after an error on stderr, with --json also as a document on stdout."""
    options = _parser().parse_args(words)
    try:
        function, arguments, keywords = _made_by(options.factory)
        exported = export(
            function, *arguments, out=options.out, kwargs=keywords, steps=options.steps,
            mesh=dict(options.mesh) if options.mesh else None, numerics=options.numerics,
            carry=dict(options.carry) if options.carry else None, expect=not options.no_expect,
            per_step=options.per_step, platforms=tuple(options.platforms.split(",")),
            artifact={None: False, "beside": True, "only": "only"}[options.artifact],
            deadline_seconds=options.deadline)
    except (ExportError, ImportError, AttributeError, OSError) as error:
        return _fail(error, options.json)
    if options.json:
        print(json.dumps({"schema": "understudy/exported/1", "folder": str(exported.folder),
                          "arguments": len(exported.arguments), "results": len(exported.results),
                          "chips": exported.devices}, indent=2))
        return 0
    print(f"{exported.folder}: {len(exported.arguments)} arguments, {len(exported.results)} "
          f"results, {exported.devices} chips")
    return 0


if __name__ == "__main__":
    sys.exit(main())
