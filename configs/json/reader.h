// SPDX-License-Identifier: Apache-2.0
// A JSON value that knows its file, line, column and pointer, so that every error can show its
// place: "v5e.json:14:5: error: /hbm/bytes: expected a whole number, got "16GiB"". Duplicate keys,
// nesting over 100 levels and trailing content are errors. A cheap handle on a shared, immutable
// document: copy freely, use from any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "configs/base/error.h"

namespace understudy::configs {

struct JsonDocument;
struct JsonNode;

class JsonReader {
 public:
  // `path` is only for messages. Throws Error{config}, as all methods below do.
  static JsonReader parse(std::string text, const std::string& path);
  // Also throws what read_text_file() throws.
  static JsonReader read(const std::string& path);

  // "/hbm/bytes"; "" is the whole document.
  std::string pointer() const;
  SourcePlace place() const;
  // Throws Error{config} with the place, the pointer and `message`.
  [[noreturn]] void fail(const std::string& message) const;

  bool is_null() const;
  bool is_object() const;
  bool is_text() const;

  // Objects. at() throws for a missing key; find() is nullopt for a missing key and for null.
  JsonReader at(std::string_view key) const;
  std::optional<JsonReader> find(std::string_view key) const;
  std::vector<std::pair<std::string, JsonReader>> members() const;
  // Throws for the first key that is not in `known`, at its place, with the nearest known keys.
  void only_keys(std::span<const std::string_view> known) const;
  // Throws unless the key "schema" holds `name`.
  void expect_schema(std::string_view name) const;

  std::vector<JsonReader> items() const;
  std::string text() const;
  bool boolean() const;
  std::int64_t integer() const;
  std::uint64_t whole() const;     // an integer >= 0
  std::int64_t positive() const;   // an integer >= 1
  double number() const;           // any number
  double positive_number() const;  // a number > 0
  double real() const;             // any number, or "NaN", "Infinity", "-Infinity"
  // A string that is one of `names`; `what` describes them in the error: "a chip".
  std::string one_of(std::span<const std::string> names, std::string_view what) const;

 private:
  JsonReader(std::shared_ptr<const JsonDocument> document, const JsonNode* node)
      : document_(std::move(document)), node_(node) {}
  const JsonNode& expect_object() const;
  [[noreturn]] void expected(std::string_view what) const;

  std::shared_ptr<const JsonDocument> document_;
  const JsonNode* node_;
};

}  // namespace understudy::configs
