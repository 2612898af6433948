// SPDX-License-Identifier: Apache-2.0
// Files of jax.export.Exported.serialize(): a FlatBuffer (jax/_src/export/serialization.fbs, JAX
// 0.4.30 and later) with the portable artifact of the program among its fields. Such a file has no
// magic; it is known by the artifact that its field holds. Every offset is untrusted and checked.
// Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace understudy::program {

struct ExportedFile {
  std::string_view artifact;           // a part of the file
  std::vector<std::string> platforms;  // in the order of the program's platform index
  std::int64_t devices = 0;            // 0: the file does not say
};

// nullopt for bytes that are no such file. The result refers to `bytes`.
std::optional<ExportedFile> exported_file(std::string_view bytes);

}  // namespace understudy::program
