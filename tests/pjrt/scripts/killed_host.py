# SPDX-License-Identifier: Apache-2.0
import os
import signal
import time

import jax

jax.numpy.ones(3).block_until_ready()
# In the slice that the test names, else in the only one.
place = os.environ["MEGASCALE_SLICE_ID"], os.environ["TPU_WORKER_ID"]
if place == (os.environ.get("UNDERSTUDY_TEST_SLICE", "0"), "1"):
    os.kill(os.getpid(), signal.SIGKILL)
time.sleep(600)
