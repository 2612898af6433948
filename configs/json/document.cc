// SPDX-License-Identifier: Apache-2.0
// nlohmann-json gives no source places for semantic errors. Two facts make up for it: its SAX
// parser reads through an iterator, so a counting iterator shows how far it has read at each event;
// and between two events there are only blanks, commas and colons, so the first other byte after
// the end of the last event is the start of the next value.
#include "configs/json/document.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <nlohmann/json.hpp>

namespace understudy::configs {
namespace {

constexpr std::size_t kMostLevels = 100;        // of nesting: recursion over the tree stays shallow
constexpr std::size_t kLongestLineShown = 160;  // with a caret; longer lines are left out

// Counts the bytes that the lexer has read. The count is shared, because the parser copies
// iterators.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, std::size_t* count) : at_(at), count_(count) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    ++at_;
    ++*count_;
    return *this;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }
  bool operator!=(const CountingIterator& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  std::size_t* count_;
};

// Receives the events of the parser (names and signatures are nlohmann's) and builds the tree.
class Builder {
 public:
  using number_integer_t = nlohmann::json::number_integer_t;
  using number_unsigned_t = nlohmann::json::number_unsigned_t;
  using number_float_t = nlohmann::json::number_float_t;
  using string_t = nlohmann::json::string_t;
  using binary_t = nlohmann::json::binary_t;

  Builder(JsonDocument& document, const std::size_t& count) : document_(document), count_(count) {}

  bool null() {
    JsonNode& node = add(JsonKind::null);
    node.end = done();
    return true;
  }
  bool boolean(bool value) {
    JsonNode& node = add(JsonKind::boolean);
    node.boolean = value;
    node.end = done();
    return true;
  }
  bool number_integer(number_integer_t value) {
    JsonNode& node = add_number(JsonKind::integer, static_cast<double>(value));
    node.integer = value;
    return true;
  }
  bool number_unsigned(number_unsigned_t value) {
    JsonNode& node = add_number(JsonKind::whole, static_cast<double>(value));
    node.whole = value;
    return true;
  }
  bool number_float(number_float_t value, const string_t&) {
    add_number(JsonKind::number, value);
    return true;
  }
  bool string(string_t& value) {
    JsonNode& node = add(JsonKind::text);
    node.text = std::move(value);
    node.end = done();
    return true;
  }
  bool binary(binary_t&) { return false; }  // never called for text input
  bool start_object(std::size_t) { return open(JsonKind::object); }
  bool start_array(std::size_t) { return open(JsonKind::array); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool key(string_t& name) {
    const std::size_t offset = next_start();
    JsonNode& object = *open_.back();
    // nlohmann would keep the last of two equal keys: one of the two values would be silently
    // ignored.
    if (std::ranges::find(object.keys, name) != object.keys.end()) {
      throw Error(ErrorKind::config, document_.place(offset),
                  fmt::format("duplicate key \"{}\"", name));
    }
    object.keys.push_back(std::move(name));
    object.key_offsets.push_back(offset);
    last_end_ = count_;
    return true;
  }

  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::json::exception& error) {
    // Only the reason of nlohmann's message is kept; our place is more precise.
    std::string_view what = error.what();
    // "[json.exception.parse_error.101] parse error at line 1, column 2: <reason>"
    const std::string_view mark = "column ";
    if (const std::size_t at = what.find(mark); at != std::string_view::npos) {
      what.remove_prefix(std::min(what.size(), what.find(": ", at) + 2));
    } else if (const std::size_t bracket = what.find("] "); bracket != std::string_view::npos) {
      what.remove_prefix(bracket + 2);
    }
    // nlohmann counts positions from 1; 0 means that nothing was read.
    const std::size_t offset = std::min(position == 0 ? 0 : position - 1, document_.source.size());
    throw Error(ErrorKind::config, document_.place(offset), fmt::format("invalid JSON: {}", what));
  }

 private:
  // The first byte after the last event that is neither blank nor separator.
  std::size_t next_start() const {
    const std::size_t at = document_.source.find_first_not_of(" \t\r\n,:", last_end_);
    return std::min(at, document_.source.size());
  }
  std::size_t done() { return last_end_ = count_; }

  JsonNode& add(JsonKind kind) {
    JsonNode& node = document_.nodes.emplace_back();
    node.kind = kind;
    node.offset = next_start();
    if (!open_.empty()) {
      node.parent = open_.back();
      open_.back()->children.push_back(&node);
    }
    return node;
  }

  // A number has no end mark: the lexer reads one byte too many to see that it ends. So the end is
  // found in the source instead of taken from the count.
  JsonNode& add_number(JsonKind kind, double value) {
    JsonNode& node = add(kind);
    node.number = value;
    const std::size_t end = document_.source.find_first_not_of("+-.0123456789eE", node.offset);
    node.end = last_end_ = std::min(end, document_.source.size());
    return node;
  }

  bool open(JsonKind kind) {
    JsonNode& node = add(kind);
    if (open_.size() == kMostLevels) {
      throw Error(ErrorKind::config, document_.place(node.offset),
                  fmt::format("nested deeper than {} levels", kMostLevels));
    }
    open_.push_back(&node);
    done();
    return true;
  }

  bool close() {
    open_.back()->end = done();
    open_.pop_back();
    return true;
  }

  JsonDocument& document_;
  const std::size_t& count_;
  std::size_t last_end_ = 0;
  std::vector<JsonNode*> open_;
};

}  // namespace

// Line and column are computed only when an error needs them; a document of megabytes is parsed
// without counting lines.
SourcePlace JsonDocument::place(std::size_t offset) const {
  const std::string_view before = std::string_view(source).substr(0, offset);
  const std::size_t newline = before.rfind('\n');
  const std::size_t start = newline == std::string_view::npos ? 0 : newline + 1;
  const std::string_view line =
      std::string_view(source).substr(start, source.find('\n', start) - start);
  SourcePlace place;
  place.path = path;
  place.line = static_cast<std::uint32_t>(std::ranges::count(before, '\n') + 1);
  place.column = static_cast<std::uint32_t>(offset - start + 1);
  if (line.size() <= kLongestLineShown) place.text = line;
  return place;
}

std::shared_ptr<const JsonDocument> parse_json(std::string source, const std::string& path) {
  auto document = std::make_shared<JsonDocument>();
  document->path = path;
  document->source = std::move(source);
  const char* first = document->source.data();
  std::size_t count = 0;
  std::size_t unused = 0;
  Builder builder(*document, count);
  // The end iterator counts into a variable of its own, so that only the lexer's position is
  // counted.
  const bool done = nlohmann::json::sax_parse(
      CountingIterator(first, &count), CountingIterator(first + document->source.size(), &unused),
      &builder);
  UNDERSTUDY_ASSERT(done && !document->nodes.empty());
  return document;
}

}  // namespace understudy::configs
