// SPDX-License-Identifier: Apache-2.0
#include "configs/base/version.h"

#include "understudy_revision.h"

namespace understudy {

std::string_view version() { return UNDERSTUDY_VERSION; }
std::string_view revision() { return UNDERSTUDY_REVISION; }

}  // namespace understudy
