// SPDX-License-Identifier: Apache-2.0
// The tree behind JsonReader; only json/reader.cc and json/document.cc include it. Immutable after
// parsing.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "configs/base/error.h"

namespace understudy::configs {

enum class JsonKind : std::uint8_t { null, boolean, integer, whole, number, text, array, object };

struct JsonNode {
  JsonKind kind = JsonKind::null;
  bool boolean = false;
  std::int64_t integer = 0;  // negative numbers; `whole` has the others
  std::uint64_t whole = 0;
  double number = 0;  // every number
  std::string text;
  std::vector<const JsonNode*> children;
  std::vector<std::string> keys;  // of children, objects only
  std::vector<std::size_t> key_offsets;
  const JsonNode* parent = nullptr;
  std::size_t offset = 0;  // of the first byte
  std::size_t end = 0;     // one past the last byte
};

struct JsonDocument {
  std::string path;
  std::string source;
  std::deque<JsonNode> nodes;  // the root first; a deque keeps addresses valid as it grows
  SourcePlace place(std::size_t offset) const;
};

// Throws Error{config}.
std::shared_ptr<const JsonDocument> parse_json(std::string source, const std::string& path);

}  // namespace understudy::configs
