// SPDX-License-Identifier: Apache-2.0
// The door of the bytecode reader: portable StableHLO artifacts (MLIR bytecode of versions 0 to 6,
// dialect VHLO) become the module that their text gives. docs/formats.md names what is read.
#pragma once

#include <memory>
#include <string_view>

#include "program/ir/ir.h"
#include "program/ir/source.h"

namespace understudy::program::bytecode {

bool is_bytecode(std::string_view bytes);

// Throws Error{input} "path: byte N: ..." at the first mistake, Error{unsupported} for bytecode
// that is no portable artifact, newer versions, and what the IR cannot hold. The module does not
// keep `source` alive. Locations are those the artifact names (file, line, column), else bytes.
std::unique_ptr<Module> read(const Source& source);

}  // namespace understudy::program::bytecode
