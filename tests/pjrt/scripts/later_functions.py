# SPDX-License-Identifier: Apache-2.0
"""Functions of the C API after the version that the plugin declares, without JAX."""
import sys

from pypjrt._loader import Plugin
from pypjrt.client import Client
from pypjrt.conform import ADD_MLIR

plugin = Plugin(sys.argv[1])
with Client(plugin) as client, client.devices() as devices:
    print("attributes", devices[0].live_attributes())
    executable = client.compile(ADD_MLIR)
    print("logical ids", executable.device_assignment())
    print("parameters", executable.parameter_memory_kinds())
    print("results", executable.output_memory_kinds())
    executable.close()
