// SPDX-License-Identifier: Apache-2.0
#include "cache/key.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "cache/archive.h"
#include "cache/source_digest.h"
#include "configs/base/digest.h"
#include "configs/base/error.h"

namespace understudy::cache {
namespace {

constexpr std::string_view architecture() {
#if defined(__x86_64__)
  return "x86-64";
#elif defined(__aarch64__)
  return "aarch64";
#else
#error "name this architecture"
#endif
}

// An entry is valid only for the build that wrote it: compiler, library, architecture and sources
// may change its format or its meaning.
NamedParts build_parts() {
  return {{"compiler", __VERSION__},
          {"serialization", std::string(archive_library())},
          {"architecture", std::string(architecture())},
          {"sources", UNDERSTUDY_SOURCE_DIGEST}};
}

const std::string* value_of(const NamedParts& parts, std::string_view name) {
  const auto found = std::ranges::find(parts, name, &NamedParts::value_type::first);
  return found == parts.end() ? nullptr : &found->second;
}

std::optional<std::string> copy_of(const std::string* value) {
  return value == nullptr ? std::nullopt : std::optional(*value);
}

}  // namespace

NamedParts named_parts(const KeyParts& parts) {
  NamedParts named = {{"program", parts.program},   {"entry", parts.entry},
                      {"numerics", parts.numerics}, {"replicas", fmt::format("{}", parts.replicas)},
                      {"chip", parts.chip},         {"chip-spec", parts.chip_digest}};
  for (const auto& [name, value] : parts.profile) named.emplace_back("profile." + name, value);
  for (auto& part : build_parts()) named.push_back(std::move(part));
  return named;
}

std::string key_of(const NamedParts& parts) {
  Digester digester;
  for (const auto& [name, value] : parts) {
    // The digester adds the length of each text, so that names and values cannot run into each
    // other.
    digester.add(std::string_view(name));
    digester.add(std::string_view(value));
  }
  return digester.hex();
}

std::string key_of(const KeyParts& parts) { return key_of(named_parts(parts)); }

std::string build_fingerprint() {
  static const std::string fingerprint = key_of(build_parts());
  return fingerprint;
}

std::string fingerprint_of(const NamedParts& parts) {
  // The parts of the build are the last ones: build_parts().
  // The order is fixed by named_parts(), and stored entries keep it.
  constexpr std::size_t kOfBuild = 4;
  const std::size_t count = std::min(parts.size(), kOfBuild);
  return key_of(NamedParts(parts.end() - static_cast<std::ptrdiff_t>(count), parts.end()));
}

std::string text_of(const NamedParts& parts) {
  std::string text;
  for (const auto& [name, value] : parts) {
    // A newline would end the line in parse_parts().
    UNDERSTUDY_ASSERT(value.find('\n') == std::string::npos);
    text += fmt::format("{}={}\n", name, value);
  }
  return text;
}

// The inverse of text_of(). Values may contain '=', names may not.
std::optional<NamedParts> parse_parts(std::string_view text) {
  NamedParts parts;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view line = text.substr(0, end);
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) return std::nullopt;
    parts.emplace_back(line.substr(0, equals), line.substr(equals + 1));
    text.remove_prefix(end + 1);
  }
  return parts;
}

std::vector<PartDifference> differences(const NamedParts& here, const NamedParts& there) {
  std::vector<PartDifference> all;
  for (const auto& [name, value] : here) {
    const std::string* other = value_of(there, name);
    // A part that only one side has is a difference as well.
    if (other == nullptr || *other != value) all.push_back({name, value, copy_of(other)});
  }
  for (const auto& [name, value] : there)
    if (value_of(here, name) == nullptr) all.push_back({name, std::nullopt, value});
  return all;
}

// Only the first difference is described: with another build all later parts differ as well.
std::string disagreement(const std::vector<NamedParts>& of_ranks) {
  std::set<std::string> keys;
  std::string first;
  for (std::size_t rank = 0; rank < of_ranks.size(); ++rank) {
    keys.insert(key_of(of_ranks[rank]));
    if (!first.empty() || keys.size() < 2) continue;
    const PartDifference one = differences(of_ranks.front(), of_ranks[rank]).front();
    first = fmt::format("rank {} has {} {}, rank 0 has {}", rank, one.part,
                        one.there.value_or("none"), one.here.value_or("none"));
  }
  return first.empty() ? ""
                       : fmt::format("{} different keys for one program: {}", keys.size(), first);
}

}  // namespace understudy::cache
