// SPDX-License-Identifier: Apache-2.0
// Writes one JSON document, keys in the order of the calls. `compact` is one line without blanks,
// the same bytes for the same values on every machine (digests are computed from it); `readable`
// indents by two blanks, with lists of plain values on one line. Numbers that JSON cannot represent
// become the strings "NaN", "Infinity" and "-Infinity"; invalid UTF-8 becomes U+FFFD.
// Thread-compatible.
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
  void number(double value);  // digits that read back as the same double

  // Returns the document; `readable` ends with a newline. *Requires*: every begin has its end.
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
