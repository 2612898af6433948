// SPDX-License-Identifier: Apache-2.0
// Which understudy this is. Constants of the build.
#pragma once

#include <string_view>

namespace understudy {

std::string_view version();   // "0.1.0"
std::string_view revision();  // "49810de", with "+" where files differ; "unknown" outside a clone

}  // namespace understudy
