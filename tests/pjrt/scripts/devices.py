# SPDX-License-Identifier: Apache-2.0
import jax

first = jax.devices()[0]
print(first.platform, first.device_kind, len(jax.devices()), len(jax.local_devices()),
      jax.process_index())
for device in jax.devices():
    print(device.id, tuple(device.coords), device.process_index,
          device in jax.local_devices())
