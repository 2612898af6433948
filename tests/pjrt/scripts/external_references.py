# SPDX-License-Identifier: Apache-2.0
"""Memory of a chip that another library holds by the C API, without JAX: it stays where it is."""
import array
import ctypes
import sys

from pypjrt import errors
from pypjrt._loader import Plugin
from pypjrt.client import Client

F32 = 11  # PJRT_Buffer_Type_F32


def count(plugin, buffer, word):
    name = f"PJRT_Buffer_{word}ExternalReferenceCount"
    plugin.call(name, plugin.args(f"{name}_Args", buffer=buffer.address))


def hold(plugin, client, device):
    def put(values):
        buffer = client.buffer_from_host(array.array("f", values), F32, [len(values)], device)
        buffer.to_host()  # the array has arrived
        return buffer

    held = put([1.0, 2.0, 3.0, 4.0])
    address = held.device_pointer()
    count(plugin, held, "Increase")
    count(plugin, held, "Increase")
    count(plugin, held, "Decrease")
    plugin.call("PJRT_Buffer_Delete", plugin.args("PJRT_Buffer_Delete_Args", buffer=held.address))
    others = [put([9.0] * 4) for _ in range(8)]
    assert address not in [other.device_pointer() for other in others]
    print(list((ctypes.c_float * 4).from_address(address)))
    before = device.memory_stats()["bytes_in_use"]
    count(plugin, held, "Decrease")
    assert device.memory_stats()["bytes_in_use"] < before, "the memory was not freed"
    try:
        count(plugin, held, "Decrease")
    except errors.PjrtError as error:
        print(error)
    for buffer in (held, *others):
        buffer.close()


def main(path):
    plugin = Plugin(path)
    with Client(plugin) as client, client.devices() as devices:
        hold(plugin, client, devices[0])


main(sys.argv[1])
