// SPDX-License-Identifier: Apache-2.0
#include "program/npy_header.h"

#include <charconv>
#include <fmt/format.h>
#include <string_view>
#include <system_error>

#include "configs/base/error.h"

namespace understudy::program {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
// numpy writes 128 bytes; the limit keeps a damaged length from allocating gigabytes.
constexpr std::size_t kLongestHeader = std::size_t{1} << 20;
// numpy's own limit (NPY_MAXDIMS since 2.0).
constexpr std::size_t kMostDimensions = 64;
// The data must start at a multiple of 64 bytes (numpy.lib.format), so that it can be mapped.
constexpr std::size_t kAlignment = 64;

// Reads the header's Python dictionary, for example {'descr': '<f4', 'fortran_order': False,
// 'shape': (3, 4), }. Keys may come in any order; a trailing comma is allowed.
class Literal {
 public:
  Literal(std::string_view text, const std::string& path) : text_(text), path_(path) {}

  // Each key must occur; a repeated key overwrites, as in Python.
  NpyHeader read() {
    NpyHeader header;
    int seen = 0;
    expect('{');
    while (!take('}')) {
      const std::string key = quoted();
      expect(':');
      seen |= read_value(key, header);
      if (!take(',')) {
        expect('}');
        break;
      }
    }
    if (seen != kAllKeys) fail("the header lacks one of 'descr', 'fortran_order' and 'shape'");
    blank();
    if (at_ != text_.size()) fail("there is text after the header's dictionary");
    return header;
  }

 private:
  static constexpr int kDescr = 1, kOrder = 2, kShape = 4, kAllKeys = 7;

  [[noreturn]] void fail(const std::string& why) const {
    throw Error(ErrorKind::input, fmt::format("{}: not a usable .npy file: {}", path_, why));
  }
  void blank() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t'))
      ++at_;
  }
  bool take(char wanted) {
    blank();
    if (at_ >= text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }
  void expect(char wanted) {
    if (!take(wanted))
      fail(fmt::format("expected '{}' at character {} of the header", wanted, at_ + 1));
  }
  std::string quoted() {
    // numpy never escapes in these words, so no backslash is handled.
    blank();
    const char quote = at_ < text_.size() ? text_[at_] : '\0';
    if (quote == '[')
      fail("structured dtypes are not supported; save each field as an array of its own");
    if (quote != '\'' && quote != '"')
      fail(fmt::format("expected a quoted word at character {} of the header", at_ + 1));
    const std::size_t end = text_.find(quote, ++at_);
    if (end == std::string_view::npos) fail("a quoted word in the header is not terminated");
    std::string word(text_.substr(at_, end - at_));
    at_ = end + 1;
    return word;
  }
  // Returns the bit of the key.
  int read_value(const std::string& key, NpyHeader& header) {
    if (key == "descr") {
      header.descr = quoted();
      return kDescr;
    }
    if (key == "fortran_order") {
      header.fortran_order = boolean();
      return kOrder;
    }
    if (key == "shape") {
      header.shape = tuple();
      return kShape;
    }
    fail(fmt::format("unknown key '{}' in the header", key));
  }
  bool boolean() {
    blank();
    for (const bool value : {false, true}) {
      const std::string_view word = value ? "True" : "False";
      if (text_.substr(at_, word.size()) == word) {
        at_ += word.size();
        return value;
      }
    }
    fail("'fortran_order' is neither True nor False");
  }
  Shape tuple() {
    Shape shape;
    expect('(');
    while (!take(')')) {
      shape.push_back(dimension());
      if (shape.size() > kMostDimensions) fail("'shape' has more than 64 dimensions");
      if (!take(',')) {
        expect(')');
        break;
      }
    }
    return shape;
  }
  std::int64_t dimension() {
    blank();
    std::int64_t value = 0;
    const char* first = text_.data() + at_;
    const auto [end, code] = std::from_chars(first, text_.data() + text_.size(), value);
    if (code != std::errc() || value < 0)
      fail(fmt::format("'shape' needs a non-negative size at character {} of the header", at_ + 1));
    at_ += static_cast<std::size_t>(end - first);
    take('L');  // Python 2 wrote 3L
    return value;
  }

  std::string_view text_;
  const std::string& path_;
  std::size_t at_ = 0;
};

[[noreturn]] void refuse_header(const std::string& path, const std::string& why) {
  throw Error(ErrorKind::input, fmt::format("{}: not a usable .npy file: {}", path, why));
}

}  // namespace

NpyHeader parse_npy_header(std::span<const std::byte> file, const std::string& path) {
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  if (text.substr(0, kMagic.size()) != kMagic) refuse_header(path, "the .npy magic is missing");
  if (text.size() < 10) refuse_header(path, "the file ends inside the header");
  const int version = std::to_integer<int>(file[6]);
  if (version < 1 || version > 3)
    refuse_header(path, fmt::format("format version {} is unknown", version));
  // Version 1 has a 2-byte header length, versions 2 and 3 have 4 bytes.
  const std::size_t width = version == 1 ? 2 : 4;
  if (text.size() < 8 + width) refuse_header(path, "the file ends inside the header");
  std::size_t length = 0;
  for (std::size_t i = width; i-- > 0;)
    length = length << 8 | std::to_integer<std::size_t>(file[8 + i]);
  const std::size_t begin = 8 + width;
  if (length > kLongestHeader) refuse_header(path, "its header is longer than 1 MiB");
  if (length > text.size() - begin) refuse_header(path, "the file ends inside the header");
  NpyHeader header = Literal(text.substr(begin, length), path).read();
  header.data_offset = begin + length;
  return header;
}

// As numpy.save writes it: version 1, a trailing comma, padding with blanks to the alignment, a
// newline.
std::string npy_header_text(const std::string& descr, const Shape& shape) {
  std::string sizes;
  for (const std::int64_t size : shape) sizes += fmt::format("{}, ", size);
  if (shape.size() > 1) sizes.resize(sizes.size() - 2);
  // "(3,)" keeps its comma in Python; "(3, 4)" has none at the end.
  if (shape.size() == 1) sizes.pop_back();
  std::string dictionary =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", descr, sizes);
  // 64 dimensions of 19 digits fit the two bytes of version 1.
  // Magic, two bytes of version, two of length.
  const std::size_t fixed = kMagic.size() + 4;
  dictionary.append(kAlignment - (fixed + dictionary.size() + 1) % kAlignment, ' ');
  dictionary.push_back('\n');
  std::string text(kMagic);
  text += {'\x01', '\0', static_cast<char>(dictionary.size() & 0xff),
           static_cast<char>(dictionary.size() >> 8)};
  return text + dictionary;
}

}  // namespace understudy::program
