# SPDX-License-Identifier: Apache-2.0
"""One module per family of attacks, in the order in which they run. Each has a list ATTACKS; add a
new family here."""
from families import (attribution, cache_entries, disks, inputs, large_inputs, launcher_ends,
                      outputs, process_environment, special_files, users)

ATTACKS = [attack
           for family in (launcher_ends, attribution, disks, outputs, special_files, cache_entries,
                          users, large_inputs, process_environment, inputs)
           for attack in family.ATTACKS]
