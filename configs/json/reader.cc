// SPDX-License-Identifier: Apache-2.0
#include "configs/json/reader.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "configs/base/file.h"
#include "configs/base/suggest.h"
#include "configs/json/document.h"

namespace understudy::configs {
namespace {

// Escapes a key for a JSON pointer (RFC 6901).
std::string escaped(std::string_view key) {
  std::string out;
  for (const char letter : key) {
    if (letter == '~') {
      out += "~0";
    } else if (letter == '/') {
      out += "~1";
    } else {
      out += letter;
    }
  }
  return out;
}

// Computed only for errors: nodes store their parent instead of their pointer.
std::string pointer_of(const JsonNode& node) {
  if (node.parent == nullptr) return "";
  const JsonNode& parent = *node.parent;
  const auto index =
      static_cast<std::size_t>(std::ranges::find(parent.children, &node) - parent.children.begin());
  const std::string step =
      parent.kind == JsonKind::object ? escaped(parent.keys[index]) : fmt::format("{}", index);
  return pointer_of(parent) + "/" + step;
}

// The value as written in the source, short enough for a message.
std::string shown(const JsonDocument& document, const JsonNode& node) {
  constexpr std::size_t kMost = 40;
  if (node.kind == JsonKind::object) return "an object";
  if (node.kind == JsonKind::array) return "an array";
  const std::string text = document.source.substr(node.offset, node.end - node.offset);
  return text.size() <= kMost ? text : text.substr(0, kMost) + "...";
}

std::string with_pointer(const std::string& pointer, const std::string& message) {
  return pointer.empty() ? message : fmt::format("{}: {}", pointer, message);
}

}  // namespace

JsonReader JsonReader::parse(std::string text, const std::string& path) {
  std::shared_ptr<const JsonDocument> document = parse_json(std::move(text), path);
  const JsonNode* root = &document->nodes.front();
  return JsonReader(std::move(document), root);
}

JsonReader JsonReader::read(const std::string& path) { return parse(read_text_file(path), path); }

std::string JsonReader::pointer() const { return pointer_of(*node_); }

SourcePlace JsonReader::place() const { return document_->place(node_->offset); }

void JsonReader::fail(const std::string& message) const {
  throw Error(ErrorKind::config, place(), with_pointer(pointer(), message));
}

// Every type error shows what was found, so that the user need not open the file.
void JsonReader::expected(std::string_view what) const {
  fail(fmt::format("expected {}, got {}", what, shown(*document_, *node_)));
}

bool JsonReader::is_null() const { return node_->kind == JsonKind::null; }
bool JsonReader::is_object() const { return node_->kind == JsonKind::object; }
bool JsonReader::is_text() const { return node_->kind == JsonKind::text; }

const JsonNode& JsonReader::expect_object() const {
  if (!is_object()) expected("an object");
  return *node_;
}

JsonReader JsonReader::at(std::string_view key) const {
  const JsonNode& object = expect_object();
  const auto found = std::ranges::find(object.keys, key);
  if (found == object.keys.end()) fail(fmt::format("missing key \"{}\"", key));
  return JsonReader(document_,
                    object.children[static_cast<std::size_t>(found - object.keys.begin())]);
}

// null counts as missing: writers may spell out an unknown value.
std::optional<JsonReader> JsonReader::find(std::string_view key) const {
  const JsonNode& object = expect_object();
  const auto found = std::ranges::find(object.keys, key);
  if (found == object.keys.end()) return std::nullopt;
  JsonReader value(document_,
                   object.children[static_cast<std::size_t>(found - object.keys.begin())]);
  if (value.is_null()) return std::nullopt;
  return value;
}

std::vector<std::pair<std::string, JsonReader>> JsonReader::members() const {
  const JsonNode& object = expect_object();
  std::vector<std::pair<std::string, JsonReader>> members;
  for (std::size_t i = 0; i < object.keys.size(); ++i) {
    members.emplace_back(object.keys[i], JsonReader(document_, object.children[i]));
  }
  return members;
}

void JsonReader::only_keys(std::span<const std::string_view> known) const {
  const JsonNode& object = expect_object();
  for (std::size_t i = 0; i < object.keys.size(); ++i) {
    const std::string& key = object.keys[i];
    if (std::ranges::find(known, key) != known.end()) continue;
    const std::vector<std::string> names(known.begin(), known.end());
    throw Error(ErrorKind::config, document_->place(object.key_offsets[i]),
                with_pointer(pointer(),
                             fmt::format("unknown key \"{}\"{}", key, did_you_mean(key, names))));
  }
}

void JsonReader::expect_schema(std::string_view name) const {
  const JsonReader schema = at("schema");
  if (schema.text() != name) schema.expected(fmt::format("\"{}\"", name));
}

std::vector<JsonReader> JsonReader::items() const {
  if (node_->kind != JsonKind::array) expected("an array");
  std::vector<JsonReader> items;
  items.reserve(node_->children.size());
  for (const JsonNode* child : node_->children) items.push_back(JsonReader(document_, child));
  return items;
}

std::string JsonReader::text() const {
  if (!is_text()) expected("a string");
  return node_->text;
}

bool JsonReader::boolean() const {
  if (node_->kind != JsonKind::boolean) expected("true or false");
  return node_->boolean;
}

std::int64_t JsonReader::integer() const {
  if (node_->kind == JsonKind::integer) return node_->integer;
  // Non-negative numbers are stored unsigned.
  const bool fits =
      node_->whole <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (node_->kind != JsonKind::whole || !fits) expected("an integer");
  return static_cast<std::int64_t>(node_->whole);
}

std::uint64_t JsonReader::whole() const {
  if (node_->kind != JsonKind::whole) expected("a whole number");
  return node_->whole;
}

std::int64_t JsonReader::positive() const {
  if (node_->kind != JsonKind::whole || node_->whole == 0) expected("a positive whole number");
  return integer();
}

double JsonReader::number() const {
  const bool numeric = node_->kind == JsonKind::integer || node_->kind == JsonKind::whole ||
                       node_->kind == JsonKind::number;
  if (!numeric) expected("a number");
  return node_->number;
}

double JsonReader::positive_number() const {
  const bool numeric = node_->kind == JsonKind::whole || node_->kind == JsonKind::number;
  if (!numeric || node_->number <= 0) expected("a positive number");
  return node_->number;
}

// The inverse of JsonWriter::number().
double JsonReader::real() const {
  if (!is_text()) return number();
  if (node_->text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (node_->text == "Infinity") return std::numeric_limits<double>::infinity();
  if (node_->text == "-Infinity") return -std::numeric_limits<double>::infinity();
  expected("a number, \"NaN\", \"Infinity\" or \"-Infinity\"");
}

std::string JsonReader::one_of(std::span<const std::string> names, std::string_view what) const {
  const std::string name = text();
  if (std::ranges::find(names, name) == names.end()) {
    fail(fmt::format("\"{}\" is not {}{}", name, what, did_you_mean(name, names)));
  }
  return name;
}

}  // namespace understudy::configs
