# SPDX-License-Identifier: Apache-2.0
import subprocess
import sys
import time

import jax

jax.devices()
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)", sys.argv[1]])
print("ready", flush=True)
time.sleep(600)
