# SPDX-License-Identifier: Apache-2.0
"""Quantized types in numpy: the formulas of the StableHLO specification ("Quantization
computations"), and cases of self-checking programs that carry quantized values as stored integers.
"""
import dataclasses

import numpy as np

from program_text import I4, NAMES, U4, Programs, float_text, type_of

F32, F64 = np.dtype(np.float32), np.dtype(np.float64)
# What MLIR calls a storage, and what numpy does.
STORAGES = {"i4": I4, "u4": U4, "i8": np.dtype(np.int8), "u8": np.dtype(np.uint8),
            "i16": np.dtype(np.int16), "u16": np.dtype(np.uint16), "i32": np.dtype(np.int32),
            "u32": np.dtype(np.uint32)}


@dataclasses.dataclass(frozen=True)
class Q:
    storage: str = "i8"
    scales: tuple = (0.5,)
    zeros: tuple = (0,)
    axis: int | None = None
    expressed: np.dtype = F32
    bounds: tuple | None = None

    @property
    def dtype(self):
        return STORAGES[self.storage]

    def range(self):
        bits = int(self.storage[1:])
        least = 0 if self.storage[0] == "u" else -(1 << bits - 1)
        return self.bounds or (least, least + (1 << bits) - 1)

    def text(self):
        bounds = f"<{self.bounds[0]}:{self.bounds[1]}>" if self.bounds else ""
        pairs = ", ".join(f"{float_text(s, F64)}:{z}" for s, z in zip(self.scales, self.zeros))
        axis = "" if self.axis is None else f":{self.axis}"
        pairs = pairs if self.axis is None else "{" + pairs + "}"
        return f"!quant.uniform<{self.storage}{bounds}:{NAMES[self.expressed]}{axis}, {pairs}>"

    def type(self, shape):
        return f"tensor<{''.join(f'{d}x' for d in shape)}{self.text()}>"

    def along(self, values, ndim, dtype):
        values = np.array(values, np.float64).astype(dtype)
        if self.axis is None:
            return values[0]
        return values.reshape([-1 if d == self.axis else 1 for d in range(ndim)])

    def real(self, stored):
        """The floats that integers stand for."""
        centred = stored.astype(np.int64) - self.along(self.zeros, stored.ndim, np.int64)
        scale = self.along(self.scales, stored.ndim, self.expressed)
        return (centred.astype(self.expressed) * scale).astype(self.expressed)

    def quanta(self, real):
        """real / scale + zero point: what is then rounded."""
        scale = self.along(self.scales, real.ndim, self.expressed)
        with np.errstate(all="ignore"):
            x = (real.astype(self.expressed) / scale).astype(self.expressed)
            return (x + self.along(self.zeros, real.ndim, self.expressed)).astype(self.expressed)

    def stored(self, real):
        return self.bounded(self.quanta(real))

    def bounded(self, quanta):
        """Clamped, rounded to nearest even; NaN is 0."""
        low, high = self.range()
        x = np.rint(np.clip(quanta.astype(np.float64), low, high))
        return np.where(np.isnan(x), 0, x).astype(np.int64).astype(self.dtype)


def random_integers(rng, q, shape):
    low, high = q.range()
    return rng.integers(low, high, shape, endpoint=True).astype(np.int64).astype(q.dtype)


class QuantizedPrograms(Programs):
    """Cases whose operands and results may be quantized: stored integers go in and come out."""

    def quantized(self, name, inputs, body, expected, ulp=0):
        """inputs: arrays, or pairs (Q, stored integers); expected likewise. In `body` {0} is
        operand 0 as the operation takes it, {t0} its type, {r0} the type of result 0, {e0} the
        element type of operand 0; results are %q, or %q#0, %q#1."""
        types, lines = {}, []
        for i, x in enumerate(inputs):
            q, array = x if isinstance(x, tuple) else (None, np.asarray(x))
            types[f"t{i}"] = q.type(array.shape) if q else type_of(array)
            types[f"e{i}"] = q.text() if q else NAMES[array.dtype]
            if q:
                lines.append(f"%s{i} = stablehlo.bitcast_convert %a{i} : ({type_of(array)}) -> "
                             f"{types[f't{i}']}")
        operands = [f"%s{i}" if isinstance(x, tuple) else f"%a{i}" for i, x in enumerate(inputs)]
        for i, x in enumerate(expected):
            q, array = x if isinstance(x, tuple) else (None, np.asarray(x))
            types[f"r{i}"] = q.type(array.shape) if q else type_of(array)
        lines += body.format(*operands, **types).split("\n")
        for i, x in enumerate(expected):
            if isinstance(x, tuple):
                of = f"%q#{i}" if len(expected) > 1 else "%q"
                lines.append(f"%r{i} = stablehlo.bitcast_convert {of} : ({types[f'r{i}']}) -> "
                             f"{type_of(x[1])}")
        self.results = [f"%r{i}" if isinstance(x, tuple) else
                        (f"%q#{i}" if len(expected) > 1 else "%q") for i, x in enumerate(expected)]
        arrays = lambda values: [x[1] if isinstance(x, tuple) else np.asarray(x) for x in values]
        text = "\n".join(lines).replace("{", "{{").replace("}", "}}")
        self.case(name, arrays(inputs), text, arrays(expected), ulp)

    def check(self, got, i, want, ulp):
        super().check(self.results[i], i, want, ulp)
