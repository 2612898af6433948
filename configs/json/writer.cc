// SPDX-License-Identifier: Apache-2.0
#include "configs/json/writer.h"

#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "configs/base/error.h"

namespace understudy::configs {
namespace {

std::string quoted(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

// Comma, line break and indentation before the next element. A value after its key needs none of
// them (before_value).
void JsonWriter::separate() {
  if (levels_.empty()) return;
  Level& level = levels_.back();
  if (!level.empty) out_ += ',';
  if (layout_ == Layout::readable) {
    if (!level.on_one_line) {
      out_ += '\n';
      out_.append(2 * levels_.size(), ' ');
    } else if (!level.empty) {
      out_ += ' ';
    }
  }
  level.empty = false;
}

void JsonWriter::before_value() {
  if (!after_key_) separate();
  after_key_ = false;
}

void JsonWriter::put(std::string_view text) {
  before_value();
  out_ += text;
}

void JsonWriter::begin(char bracket, bool on_one_line) {
  before_value();
  out_ += bracket;
  // Everything inside of a one-line value is on the same line.
  const bool inherited = !levels_.empty() && levels_.back().on_one_line;
  levels_.push_back({on_one_line || inherited, true});
}

void JsonWriter::end(char bracket) {
  UNDERSTUDY_ASSERT(!levels_.empty() && !after_key_);
  const Level level = levels_.back();
  levels_.pop_back();
  if (layout_ == Layout::readable && !level.on_one_line && !level.empty) {
    out_ += '\n';
    out_.append(2 * levels_.size(), ' ');
  }
  out_ += bracket;
}

void JsonWriter::begin_object(bool on_one_line) { begin('{', on_one_line); }
void JsonWriter::end_object() { end('}'); }
void JsonWriter::begin_array(bool on_one_line) { begin('[', on_one_line); }
void JsonWriter::end_array() { end(']'); }

void JsonWriter::key(std::string_view name) {
  UNDERSTUDY_ASSERT(!levels_.empty() && !after_key_);
  separate();
  out_ += quoted(name);
  out_ += layout_ == Layout::readable ? ": " : ":";
  after_key_ = true;
}

void JsonWriter::null() { put("null"); }
void JsonWriter::text(std::string_view value) { put(quoted(value)); }
void JsonWriter::boolean(bool value) { put(value ? "true" : "false"); }
void JsonWriter::integer(std::int64_t value) { put(fmt::format("{}", value)); }
void JsonWriter::whole(std::uint64_t value) { put(fmt::format("{}", value)); }

void JsonWriter::number(double value) {
  if (std::isnan(value)) return text("NaN");
  if (std::isinf(value)) return text(value > 0 ? "Infinity" : "-Infinity");
  put(nlohmann::json(value).dump());
}

std::string JsonWriter::take() {
  UNDERSTUDY_ASSERT(levels_.empty() && !after_key_);
  if (layout_ == Layout::readable) out_ += '\n';
  return std::move(out_);
}

}  // namespace understudy::configs
