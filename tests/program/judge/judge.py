# SPDX-License-Identifier: Apache-2.0
"""jaxlib's MLIR parser and printer, and our reader over a pipe, for scripts that compare the two."""
import pathlib
import subprocess
import sys

from jax._src.interpreters import mlir
from jax._src.lib.mlir import ir
from jaxlib.mlir.dialects import stablehlo


class Rival:
    """jaxlib with stablehlo, chlo, sdy, mhlo and func registered; others only in generic form."""

    def __init__(self):
        self.context = mlir.make_ir_context()
        self.context.allow_unregistered_dialects = True

    def parse(self, text):
        """A module; *raises* ValueError with the first line of jaxlib's error."""
        with self.context, ir.Location.unknown(self.context):
            try:
                module = ir.Module.parse(text)
                module.operation.verify()
                return module
            except ir.MLIRError as error:
                raise ValueError(complaint(error)) from None

    @staticmethod
    def pretty(module, locations=False):
        return module.operation.get_asm(enable_debug_info=locations, assume_verified=True)

    @staticmethod
    def generic(module):
        return module.operation.get_asm(print_generic_op_form=True, assume_verified=True)

    def portable(self, module):
        """The module after a way through VHLO, which writes every default out; None where it holds
        something that has no place there."""
        with self.context, ir.Location.unknown(self.context):
            try:
                artifact = stablehlo.serialize_portable_artifact(
                    module, stablehlo.get_current_version(), allow_other_dialects=True
                )
                return self.generic(stablehlo.deserialize_portable_artifact(self.context, artifact))
            except (ir.MLIRError, ValueError):
                return None

    @staticmethod
    def local(op):
        """One operation in generic form."""
        return op.operation.get_asm(
            print_generic_op_form=True, use_local_scope=True, assume_verified=True
        )


class RivalProcess:
    """jaxlib's errors from a child process, because some invalid operations crash jaxlib."""

    def __init__(self):
        self.child = None

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.stop()

    def stop(self):
        if self.child is not None:
            self.child.stdin.close()
            self.child.stdout.close()
            self.child.wait()
        self.child = None

    def error(self, text):
        """jaxlib's error for a text, "" if it is accepted, None if jaxlib crashed."""
        if self.child is None:
            self.child = subprocess.Popen(
                [sys.executable, __file__],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        data = text.encode()
        try:
            self.child.stdin.write(b"%d\n" % len(data) + data)
            self.child.stdin.flush()
        except BrokenPipeError:
            pass
        answer = self.child.stdout.readline().decode()
        if answer:
            return "" if answer == "ok\n" else answer.rstrip("\n")
        try:
            self.stop()
        except BrokenPipeError:
            self.child = None
        return None


def serve():
    """Answers each text, sent after a line with its length, with a line: "ok" or the error."""
    rival = Rival()
    while length := sys.stdin.buffer.readline():
        text = sys.stdin.buffer.read(int(length)).decode()
        try:
            rival.parse(text)
            answer = "ok"
        except ValueError as error:
            answer = str(error) or "refused"
        print(answer, flush=True)


def complaint(error):
    found = error.error_diagnostics
    return found[0].message.splitlines()[0] if found else str(error).splitlines()[0]


class Reader:
    """tests/program/judge/reader_pipe.cc as a child process."""

    def __init__(self, binary):
        self.child = subprocess.Popen(
            [binary], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.child.stdin.close()
        self.child.stdout.close()
        self.child.wait()

    def ask(self, command, a, b):
        self.child.stdin.write(f"{command} {a} {b}\n")
        self.child.stdin.flush()
        answer = self.child.stdout.readline().rstrip("\n")
        if not answer:
            raise RuntimeError(f"the reader crashed at {command}:\n{pathlib.Path(a).read_text()}")
        return answer

    def error(self, text, folder):
        """Our error for a text, or "" if it is accepted."""
        path = pathlib.Path(folder) / "asked.mlir"
        path.write_text(text)
        answer = self.ask("print", path, "/dev/null")
        return "" if answer == "ok" else answer


if __name__ == "__main__":
    serve()
