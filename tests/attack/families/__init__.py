# SPDX-License-Identifier: Apache-2.0
"""One module for each family of attacks, in the order in which they are played. Each has a list
ATTACKS; a new family is a module and a word here."""
from families import (attribution, cache_entries, disks, inputs, large_inputs, launcher_ends,
                      outputs, special_files, process_environment, users)

ATTACKS = [attack
           for family in (launcher_ends, attribution, disks, outputs, special_files, cache_entries,
                          users, large_inputs, process_environment, inputs)
           for attack in family.ATTACKS]
