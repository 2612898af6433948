// SPDX-License-Identifier: Apache-2.0
// The algorithms that the registry knows. Each function gives the same object every time.
#pragma once

#include "collectives/collectives.h"

namespace understudy::collectives {

const Algorithm& auto_algorithm();
const Algorithm& ring_algorithm();
const Algorithm& library_algorithm();       // the message library's own
const Algorithm& direct_algorithm();        // folds in group order
const Algorithm& direct_by_hosts();         // folds by emulated hosts
const Algorithm& hierarchical_algorithm();  // the same bits over several machines

}  // namespace understudy::collectives
