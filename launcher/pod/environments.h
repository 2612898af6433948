// SPDX-License-Identifier: Apache-2.0
// The file from which understudy-worker-start makes the environments of the workers on this
// machine. Pure functions.
#pragma once

#include <string>
#include <vector>

#include "configs/launch/environment.h"

namespace understudy::launcher {

// The text of the file (configs/launch/start_words.h). `shell`: the variables of the launcher,
// which mpirun passes on with its own. `hosts`: for each rank, those that its host sets.
std::string environments_text(const configs::Variables& shell,
                              const std::vector<configs::Variables>& hosts);

}  // namespace understudy::launcher
