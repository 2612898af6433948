// SPDX-License-Identifier: Apache-2.0
// What names a module, whatever its file looked like.
#include "configs/base/digest.h"
#include "program/compile.h"
#include "program/read.h"

namespace understudy::program {

std::string canonical_digest(const Module& module) { return digest_of(print(module)); }

}  // namespace understudy::program
