// SPDX-License-Identifier: Apache-2.0
// Writes one JSON document, keys in the order they come. `compact` is one line without blanks, the
// same bytes for the same values everywhere (digests are made of it); `readable` has two blanks
// per level, lists of plain values on one line. Numbers that JSON cannot spell become the texts
// "NaN", "Infinity" and "-Infinity"; bytes that are no UTF-8 become U+FFFD. Thread-compatible.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace understudy::configs {

class JsonWriter {
 public:
  enum class Layout : std::uint8_t { compact, readable };
  explicit JsonWriter(Layout layout) : layout_(layout) {}

  void begin_object(bool on_one_line = false);
  void end_object();
  void begin_array(bool on_one_line = false);
  void end_array();
  void key(std::string_view name);  // then its value

  void null();
  void text(std::string_view value);
  void boolean(bool value);
  void integer(std::int64_t value);
  void whole(std::uint64_t value);
  void number(double value);  // digits that give the same double again

  // The document; `readable` ends with a newline. Requires: everything begun was ended.
  std::string take();

 private:
  struct Level {
    bool on_one_line = false;
    bool empty = true;
  };
  void before_value();
  void separate();
  void begin(char bracket, bool on_one_line);
  void end(char bracket);
  void put(std::string_view text);

  Layout layout_;
  std::string out_;
  std::vector<Level> levels_;
  bool after_key_ = false;
};

}  // namespace understudy::configs
