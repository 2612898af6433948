// SPDX-License-Identifier: Apache-2.0
#include "configs/json/schema.h"

#include <array>

namespace understudy::configs {
namespace {

void write_names(JsonWriter& out, std::string_view key, std::span<const std::string_view> names) {
  out.key(key);
  out.begin_array();
  for (const std::string_view name : names) out.text(name);
  out.end_array();
}

}  // namespace

void write_type(JsonWriter& out, std::string_view type) {
  out.key("type");
  out.text(type);
}

void write_whole(JsonWriter& out) {
  write_type(out, "integer");
  out.key("minimum");
  out.integer(0);
}

void write_number(JsonWriter& out) {
  // JSON has no numbers for these three: the writer writes words.
  constexpr std::array<std::string_view, 3> kWords = {"NaN", "Infinity", "-Infinity"};
  out.key("anyOf");
  out.begin_array();
  out.begin_object();
  write_type(out, "number");
  out.end_object();
  out.begin_object();
  write_enum(out, kWords);
  out.end_object();
  out.end_array();
}

void write_enum(JsonWriter& out, std::span<const std::string_view> names) {
  write_names(out, "enum", names);
}

void write_required(JsonWriter& out, std::span<const std::string_view> names) {
  write_type(out, "object");
  out.key("additionalProperties");
  out.boolean(false);
  write_names(out, "required", names);
}

}  // namespace understudy::configs
