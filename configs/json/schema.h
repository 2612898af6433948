// SPDX-License-Identifier: Apache-2.0
// The JSON schema (draft 2020-12) of a struct with fields (json/fields.h): the same list of fields
// that reads and writes its documents. Each key is required, as the writer writes each. Internal to
// configs. Pure functions.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "configs/json/fields.h"

namespace understudy::configs {

// Each writes the members of a schema, between the brackets of its object.
template <class T>
struct SchemaOf;

void write_type(JsonWriter& out, std::string_view type);
void write_whole(JsonWriter& out);
void write_number(JsonWriter& out);
void write_enum(JsonWriter& out, std::span<const std::string_view> names);
// "required" and what precedes it.
void write_required(JsonWriter& out, std::span<const std::string_view> names);

// As the member `name`.
template <class T>
void write_schema(JsonWriter& out, std::string_view name) {
  out.key(name);
  out.begin_object();
  SchemaOf<T>::write(out);
  out.end_object();
}
// As an element of an array.
template <class T>
void write_schema(JsonWriter& out) {
  out.begin_object();
  SchemaOf<T>::write(out);
  out.end_object();
}

// Passed to fields(): writes the schema of each field.
class FieldSchemas {
 public:
  explicit FieldSchemas(JsonWriter& out) : out_(out) {}
  template <class T>
  void operator()(std::string_view name, const T&) {
    write_schema<T>(out_, name);
  }

 private:
  JsonWriter& out_;
};

// A struct with fields. `document`: the value of a further member "schema"; empty: none.
template <class T>
void write_fields(JsonWriter& out, std::string_view document) {
  const T value{};
  FieldNames names;
  if (!document.empty()) names.add("schema");
  fields(names, value);
  write_required(out, names.names());
  out.key("properties");
  out.begin_object();
  if (!document.empty()) {
    out.key("schema");
    out.begin_object();
    out.key("const");
    out.text(document);
    out.end_object();
  }
  FieldSchemas field(out);
  fields(field, value);
  out.end_object();
}
template <class T>
struct SchemaOf {
  static void write(JsonWriter& out) { write_fields<T>(out, {}); }
};

template <>
struct SchemaOf<bool> {
  static void write(JsonWriter& out) { write_type(out, "boolean"); }
};
template <>
struct SchemaOf<std::int64_t> {
  static void write(JsonWriter& out) { write_type(out, "integer"); }
};
template <>
struct SchemaOf<std::uint64_t> {
  static void write(JsonWriter& out) { write_whole(out); }
};
template <>
struct SchemaOf<HostId> {
  static void write(JsonWriter& out) { write_whole(out); }
};
template <>
struct SchemaOf<double> {
  static void write(JsonWriter& out) { write_number(out); }
};
template <>
struct SchemaOf<std::string> {
  static void write(JsonWriter& out) { write_type(out, "string"); }
};
template <class Enum>
requires std::is_enum_v<Enum>
struct SchemaOf<Enum> {
  static void write(JsonWriter& out) { write_enum(out, EnumNames<Enum>::kNames); }
};
template <class T>
struct SchemaOf<std::optional<T>> {
  static void write(JsonWriter& out) {
    out.key("anyOf");
    out.begin_array();
    write_schema<T>(out);
    out.begin_object();
    write_type(out, "null");
    out.end_object();
    out.end_array();
  }
};
template <class T>
struct SchemaOf<std::vector<T>> {
  static void write(JsonWriter& out) {
    write_type(out, "array");
    write_schema<T>(out, "items");
  }
};
template <class A, class B>
struct SchemaOf<std::pair<A, B>> {
  static void write(JsonWriter& out) {
    write_type(out, "array");
    out.key("prefixItems");
    out.begin_array();
    write_schema<A>(out);
    write_schema<B>(out);
    out.end_array();
    out.key("minItems");
    out.integer(2);
    out.key("maxItems");
    out.integer(2);
  }
};
template <class T>
struct SchemaOf<std::map<std::string, T>> {
  static void write(JsonWriter& out) {
    write_type(out, "object");
    write_schema<T>(out, "additionalProperties");
  }
};

// Of a whole document, as document_of() writes it.
template <class T>
std::string schema_text(std::string_view name, std::string_view title) {
  JsonWriter out(JsonWriter::Layout::readable);
  out.begin_object();
  out.key("$schema");
  out.text("https://json-schema.org/draft/2020-12/schema");
  out.key("title");
  out.text(title);
  write_fields<T>(out, name);
  out.end_object();
  return out.take();
}

}  // namespace understudy::configs
