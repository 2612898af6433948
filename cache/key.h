// SPDX-License-Identifier: Apache-2.0
// Everything that an executable depends on, by name, so that a miss can be explained. No paths,
// times, commits or value names: a fresh clone of the same sources has the same keys. Pure
// functions, thread-safe. Equivalents: JAX's cache_key.py, torch_xla's graph hash with its
// environment hash.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace understudy::cache {

struct KeyParts {
  std::string program;  // program::canonical_digest(): no locations, no value names
  std::string numerics;
  std::int64_t replicas = 0;
  std::string chip;  // name of the chip spec
  std::string chip_digest;
  std::string entry = {};  // the function that runs; empty: @main, or the only one
  std::map<std::string, std::string> profile = {};  // runtime-profile values that change code
};

// Name and value of each part, in the order in which differences are reported: the parts above,
// then compiler, serialization library, architecture and digest of the sources of this build.
using NamedParts = std::vector<std::pair<std::string, std::string>>;
NamedParts named_parts(const KeyParts& parts);

// 32 hexadecimal digits.
std::string key_of(const KeyParts& parts);
std::string key_of(const NamedParts& parts);
// Digest of the last four parts: entries of another build are stale.
std::string build_fingerprint();
std::string fingerprint_of(const NamedParts& parts);

// As an entry keeps them: one line "name=value" for each part.
std::string text_of(const NamedParts& parts);
// nullopt if the text is not a list of parts.
std::optional<NamedParts> parse_parts(std::string_view text);

struct PartDifference {
  std::string part;
  std::optional<std::string> here, there;  // nullopt: that side has no such part
};
// In the order of `here`, then what only `there` has.
std::vector<PartDifference> differences(const NamedParts& here, const NamedParts& there);

// "" if all ranks request the same program; else which part differs, and between which ranks.
std::string disagreement(const std::vector<NamedParts>& of_ranks);

}  // namespace understudy::cache
