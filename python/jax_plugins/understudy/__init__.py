# SPDX-License-Identifier: Apache-2.0
"""Registers the plugin with JAX under the name "understudy", inside of `understudy run -- ...`.

The launcher makes JAX take the plugin for its TPU library, so scripts need none of this. With this
package, JAX_PLATFORMS=understudy and jax.devices("understudy") work as well. JAX imports it in every
process: outside of a pod it does nothing.
"""
import os


def initialize():
    library = os.environ.get("TPU_LIBRARY_PATH")
    if not library or not os.environ.get("UNDERSTUDY_RUN_FOLDER"):
        return
    from jax._src import xla_bridge

    # An options dictionary, though empty: with None JAX drops the user's own options in jobs of
    # several processes.
    xla_bridge.register_plugin("understudy", library_path=library, options={})
