// SPDX-License-Identifier: Apache-2.0
// One list of fields per struct serves reading and writing. A struct takes part by a free function
// in its namespace:
//   template <class F, FieldsOf<Point> P>
//   void fields(F& field, P& point) { field("x", point.x); field("y", point.y); }
// Every key is required except those of optionals, where null and absence both mean "unknown". An
// enumeration is written as one of its names (EnumNames).
// Internal to configs. Pure functions.
#pragma once

#include <algorithm>
#include <concepts>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "configs/base/ids.h"
#include "configs/json/enum_names.h"
#include "configs/json/reader.h"
#include "configs/json/writer.h"

namespace understudy::configs {

template <class T, class Struct>
concept FieldsOf = std::same_as<std::remove_const_t<T>, Struct>;

// Specialised to true for structs that are written on one line each.
template <class T>
inline constexpr bool kIsOneLine = false;

// Values of which a list is written on one line.
template <class T>
inline constexpr bool kIsPlain = std::is_arithmetic_v<T> || std::is_enum_v<T> ||
                                 std::same_as<T, std::string> || std::same_as<T, HostId>;
template <class T>
inline constexpr bool kIsPlain<std::vector<T>> = kIsPlain<T>;
template <class A, class B>
inline constexpr bool kIsPlain<std::pair<A, B>> = true;

// ---- writing ------------------------------------------------------------------------------------

inline void write_value(JsonWriter& out, bool value) { out.boolean(value); }
inline void write_value(JsonWriter& out, std::int64_t value) { out.integer(value); }
inline void write_value(JsonWriter& out, std::uint64_t value) { out.whole(value); }
inline void write_value(JsonWriter& out, double value) { out.number(value); }
inline void write_value(JsonWriter& out, const std::string& value) { out.text(value); }
inline void write_value(JsonWriter& out, HostId value) { out.integer(value.value); }
template <class Enum>
requires std::is_enum_v<Enum>
void write_value(JsonWriter& out, Enum value) {
  out.text(EnumNames<Enum>::kNames[static_cast<std::size_t>(value)]);
}
template <class T>
void write_value(JsonWriter& out, const std::optional<T>& value);
template <class T>
void write_value(JsonWriter& out, const std::vector<T>& values);
template <class A, class B>
void write_value(JsonWriter& out, const std::pair<A, B>& value);
template <class T>
void write_value(JsonWriter& out, const std::map<std::string, T>& values);

// Passed to fields(): writes each field.
class FieldWriter {
 public:
  explicit FieldWriter(JsonWriter& out) : out_(out) {}
  template <class T>
  void operator()(std::string_view name, const T& value) {
    out_.key(name);
    write_value(out_, value);
  }

 private:
  JsonWriter& out_;
};

template <class T>
requires requires(FieldWriter& field, const T& value) { fields(field, value); }
void write_value(JsonWriter& out, const T& value) {
  out.begin_object(kIsOneLine<T>);
  FieldWriter field(out);
  fields(field, value);
  out.end_object();
}

template <class T>
void write_value(JsonWriter& out, const std::optional<T>& value) {
  if (value) {
    write_value(out, *value);
  } else {
    out.null();
  }
}

template <class T>
void write_value(JsonWriter& out, const std::vector<T>& values) {
  out.begin_array(kIsPlain<T>);
  for (const T& value : values) write_value(out, value);
  out.end_array();
}

template <class A, class B>
void write_value(JsonWriter& out, const std::pair<A, B>& value) {
  out.begin_array(true);
  write_value(out, value.first);
  write_value(out, value.second);
  out.end_array();
}

template <class T>
void write_value(JsonWriter& out, const std::map<std::string, T>& values) {
  out.begin_object();
  for (const auto& [name, value] : values) {
    out.key(name);
    write_value(out, value);
  }
  out.end_object();
}

// ---- reading ------------------------------------------------------------------------------------

inline void read_value(const JsonReader& in, bool& value) { value = in.boolean(); }
inline void read_value(const JsonReader& in, std::int64_t& value) { value = in.integer(); }
inline void read_value(const JsonReader& in, std::uint64_t& value) { value = in.whole(); }
inline void read_value(const JsonReader& in, double& value) { value = in.real(); }
inline void read_value(const JsonReader& in, std::string& value) { value = in.text(); }
inline void read_value(const JsonReader& in, HostId& value) { value = HostId(in.integer()); }
template <class Enum>
requires std::is_enum_v<Enum>
void read_value(const JsonReader& in, Enum& value) {
  static const std::vector<std::string> kNames(std::begin(EnumNames<Enum>::kNames),
                                               std::end(EnumNames<Enum>::kNames));
  const std::string name = in.one_of(kNames, EnumNames<Enum>::kWhat);
  value = static_cast<Enum>(std::ranges::find(kNames, name) - kNames.begin());
}
template <class T>
void read_value(const JsonReader& in, std::optional<T>& value);
template <class T>
void read_value(const JsonReader& in, std::vector<T>& values);
template <class A, class B>
void read_value(const JsonReader& in, std::pair<A, B>& value);
template <class T>
void read_value(const JsonReader& in, std::map<std::string, T>& values);

// Passed to fields(): collects the names of the fields.
class FieldNames {
 public:
  template <class T>
  void operator()(std::string_view name, const T&) {
    names_.push_back(name);
  }
  void add(std::string_view name) { names_.push_back(name); }
  const std::vector<std::string_view>& names() const { return names_; }

 private:
  std::vector<std::string_view> names_;
};

// Passed to fields(): reads each field. An optional may be missing or null; any other field is
// required.
class FieldReader {
 public:
  explicit FieldReader(const JsonReader& in) : in_(in) {}
  template <class T>
  void operator()(std::string_view name, T& value) {
    read_value(in_.at(name), value);
  }
  template <class T>
  void operator()(std::string_view name, std::optional<T>& value) {
    const std::optional<JsonReader> found = in_.find(name);
    value.reset();
    if (found) read_value(*found, value.emplace());
  }

 private:
  const JsonReader& in_;
};

// Reads all fields; `also` is an allowed key of the same object that is not a field ("schema").
template <class T>
void read_fields(const JsonReader& in, T& value, std::string_view also = "") {
  // Unknown keys are reported before values are read: a misspelt key is the better error than the
  // missing key that it leaves behind.
  FieldNames known;
  if (!also.empty()) known.add(also);
  fields(known, value);
  in.only_keys(known.names());
  FieldReader field(in);
  fields(field, value);
}

template <class T>
requires requires(FieldReader& field, T& value) { fields(field, value); }
void read_value(const JsonReader& in, T& value) { read_fields(in, value); }

template <class T>
void read_value(const JsonReader& in, std::optional<T>& value) {
  value.reset();
  if (!in.is_null()) read_value(in, value.emplace());
}

template <class T>
void read_value(const JsonReader& in, std::vector<T>& values) {
  values.clear();
  for (const JsonReader& item : in.items()) {
    T value{};
    read_value(item, value);
    values.push_back(std::move(value));
  }
}

template <class A, class B>
void read_value(const JsonReader& in, std::pair<A, B>& value) {
  const std::vector<JsonReader> items = in.items();
  if (items.size() != 2) in.fail("expected an array of two values");
  read_value(items[0], value.first);
  read_value(items[1], value.second);
}

template <class T>
void read_value(const JsonReader& in, std::map<std::string, T>& values) {
  values.clear();
  for (const auto& [name, member] : in.members()) read_value(member, values[name]);
}

// ---- whole documents ----------------------------------------------------------------------------

template <class T>
std::string document_of(const T& value, std::string_view schema, JsonWriter::Layout layout) {
  JsonWriter out(layout);
  out.begin_object();
  out.key("schema");
  out.text(schema);
  FieldWriter field(out);
  fields(field, value);
  out.end_object();
  return out.take();
}

template <class T>
T read_document(const JsonReader& in, std::string_view schema) {
  in.expect_schema(schema);
  T value{};
  read_fields(in, value, "schema");
  return value;
}

}  // namespace understudy::configs
