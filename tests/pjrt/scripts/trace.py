# SPDX-License-Identifier: Apache-2.0
"""jax.profiler.trace around launches: prints the planes of the trace that can be read back."""
import pathlib
import sys

import jax
import numpy as np
from jax.profiler import ProfileData

with jax.profiler.trace(sys.argv[1]):
    @jax.jit
    def step(a):
        return a @ a.T

    with jax.profiler.TraceAnnotation("three steps"):
        for _ in range(3):
            step(np.ones((8, 8), np.float32)).block_until_ready()
(file,) = pathlib.Path(sys.argv[1]).glob("**/*.xplane.pb")
planes = {plane.name: [(line.name, event) for line in plane.lines for event in line.events]
          for plane in ProfileData.from_file(str(file)).planes}
(marked,) = [event for _, event in planes["/host:CPU"] if event.name == "three steps"]
print("host", marked.name)
for name, events in sorted(planes.items()):
    if not name.startswith("/device:"):
        continue
    launches = [event for line, event in events if line == "XLA Modules"]
    inside = [marked.start_ns <= event.start_ns and event.duration_ns > 0
              and event.start_ns + event.duration_ns <= marked.start_ns + marked.duration_ns
              for event in launches]
    print(name, [event.name.split("(")[0] for event in launches], all(inside))
