// SPDX-License-Identifier: Apache-2.0
// The JSON schema (draft 2020-12) of a struct with fields (json/fields.h): the same list of fields
// that reads and writes its documents. Each key is required, as the writer writes each. Internal to
// configs. Pure functions.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "configs/json/fields.h"

namespace understudy::configs {

using Schema = nlohmann::ordered_json;

template <class T>
struct SchemaOf;

class FieldSchemas {
 public:
  template <class T>
  void operator()(std::string_view name, const T&) {
    properties_[std::string(name)] = SchemaOf<T>::make();
    required_.push_back(name);
  }
  void add(std::string_view name, Schema schema) {
    properties_[std::string(name)] = std::move(schema);
    required_.push_back(name);
  }
  Schema object() const {
    return {{"type", "object"},
            {"additionalProperties", false},
            {"required", required_},
            {"properties", properties_}};
  }

 private:
  Schema properties_ = Schema::object();
  Schema required_ = Schema::array();
};

// A struct with fields.
template <class T>
struct SchemaOf {
  static Schema make() {
    const T value{};
    FieldSchemas field;
    fields(field, value);
    return field.object();
  }
};
template <>
struct SchemaOf<bool> {
  static Schema make() { return {{"type", "boolean"}}; }
};
template <>
struct SchemaOf<std::int64_t> {
  static Schema make() { return {{"type", "integer"}}; }
};
template <>
struct SchemaOf<std::uint64_t> {
  static Schema make() { return {{"type", "integer"}, {"minimum", 0}}; }
};
template <>
struct SchemaOf<HostId> {
  static Schema make() { return {{"type", "integer"}, {"minimum", 0}}; }
};
// JSON has no numbers for these three: the writer writes words.
template <>
struct SchemaOf<double> {
  static Schema make() {
    return {{"anyOf", {{{"type", "number"}}, {{"enum", {"NaN", "Infinity", "-Infinity"}}}}}};
  }
};
template <>
struct SchemaOf<std::string> {
  static Schema make() { return {{"type", "string"}}; }
};
template <class Enum>
requires std::is_enum_v<Enum>
struct SchemaOf<Enum> {
  static Schema make() { return {{"enum", EnumNames<Enum>::kNames}}; }
};
template <class T>
struct SchemaOf<std::optional<T>> {
  static Schema make() { return {{"anyOf", {SchemaOf<T>::make(), {{"type", "null"}}}}}; }
};
template <class T>
struct SchemaOf<std::vector<T>> {
  static Schema make() { return {{"type", "array"}, {"items", SchemaOf<T>::make()}}; }
};
template <class A, class B>
struct SchemaOf<std::pair<A, B>> {
  static Schema make() {
    return {{"type", "array"},
            {"prefixItems", {SchemaOf<A>::make(), SchemaOf<B>::make()}},
            {"minItems", 2},
            {"maxItems", 2}};
  }
};
template <class T>
struct SchemaOf<std::map<std::string, T>> {
  static Schema make() {
    return {{"type", "object"}, {"additionalProperties", SchemaOf<T>::make()}};
  }
};

// Of a whole document, as document_of() writes it.
template <class T>
std::string schema_text(std::string_view name, std::string_view title) {
  const T value{};
  FieldSchemas field;
  field.add("schema", {{"const", name}});
  fields(field, value);
  Schema schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", title}};
  schema.update(field.object());
  return schema.dump(2) + "\n";
}

}  // namespace understudy::configs
