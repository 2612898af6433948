// SPDX-License-Identifier: Apache-2.0
// Recognises files that are no StableHLO, so that the error can name what they are and what to do.
// Pure function.
#pragma once

#include <string_view>

namespace understudy::program {

struct FileKind {
  std::string_view name;    // "HLO text", after "this is"
  std::string_view advice;  // a note for the user
};

// nullptr for bytes that may be StableHLO, and for unknown ones.
const FileKind* foreign_file_kind(std::string_view bytes);

}  // namespace understudy::program
