// SPDX-License-Identifier: Apache-2.0
// Files of this folder that are built into the library, so that nothing has to be found at run
// time. Their texts are written into a .cc by embed.cmake. Immutable.
#pragma once

#include <span>
#include <string_view>

namespace understudy::configs {

struct EmbeddedFile {
  std::string_view name;  // "v5e.json"
  std::string_view text;
};

// configs/chips/*.json, oldest generation first.
std::span<const EmbeddedFile> embedded_chips();
// configs/profiles/*.json, steady first.
std::span<const EmbeddedFile> embedded_profiles();

}  // namespace understudy::configs
