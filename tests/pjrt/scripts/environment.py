# SPDX-License-Identifier: Apache-2.0
import os

for name, value in sorted(os.environ.items()):
    if "\n" not in value:
        print(f"{name}={value}")
