// SPDX-License-Identifier: Apache-2.0
// The man page, made from the verb table and the declared options. Pure.
#pragma once

#include <string>

namespace understudy::launcher {

// In roff with the macros of man(7).
std::string manual();

}  // namespace understudy::launcher
