// SPDX-License-Identifier: Apache-2.0
// The digest of a module, the same for every form of file that contains it.
#include "configs/base/digest.h"
#include "program/compile.h"
#include "program/read.h"

namespace understudy::program {

// Printed text is the same for text, bytecode and HLO of one program, so the cache key is as well.
std::string canonical_digest(const Module& module) { return digest_of(print(module)); }

}  // namespace understudy::program
