# SPDX-License-Identifier: Apache-2.0
"""jax.profiler.trace around launches: prints the planes of the trace that can be read back."""
import pathlib
import sys

import jax
import numpy as np
from jax.profiler import ProfileData

with jax.profiler.trace(sys.argv[1]):
    step = jax.jit(lambda a: a @ a.T)
    with jax.profiler.TraceAnnotation("three steps"):
        for _ in range(3):
            step(np.ones((8, 8), np.float32)).block_until_ready()
(file,) = pathlib.Path(sys.argv[1]).glob("**/*.xplane.pb")
for plane in ProfileData.from_file(str(file)).planes:
    names = {event.name for line in plane.lines for event in line.events}
    print(plane.name, "three steps" in names)
