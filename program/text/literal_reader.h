// SPDX-License-Identifier: Apache-2.0
// The elements of dense<...> and array<...> straight from the source's bytes: literals are nearly
// all of a large file, and a token for each number would cost more than the number. Private to the
// parser. All throw Error{input} at the character. Thread-compatible.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "program/ir/source.h"
#include "program/ir/types.h"

namespace understudy::program {

class LiteralReader {
 public:
  // Reads from byte `at` of `text`, which begins where the source does.
  LiteralReader(const Source& source, std::string_view text, std::uint64_t at)
      : source_(source), text_(text), at_(at) {}

  // [[1, 2], [3, 4]]: the elements of a tensor of this type, row-major.
  std::vector<std::byte> list(const TensorType& type);
  // One element, 1.5 or (0.0, -1.0).
  std::vector<std::byte> single(ElementType element);
  // 1, 2, 3: elements up to what is no comma.
  std::vector<std::byte> sequence(ElementType element);

  // The first byte that is not read and not blank.
  std::uint64_t at();

 private:
  class Sink;

  void list_elements(const TensorType& type, Sink& out);
  void element(ElementType element, Sink& out);
  void scalar(ElementType element, Sink& out);
  void number(ElementType element, Sink& out);
  struct Magnitude {
    std::uint64_t value = 0;
    bool fits = true;  // into 64 bits
    bool hex = false;
  };
  // The digits at at_, which may be none; moves behind them.
  Magnitude read_magnitude();
  void word(ElementType element, Sink& out);
  std::uint64_t decimal_bits(ElementType element, bool negative, std::uint64_t begin);
  void skip_blanks();
  bool take(char wanted);
  char here() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  [[noreturn]] void fail_at(std::uint64_t offset, std::string message) const;
  [[noreturn]] void no_element(ElementType element, std::uint64_t begin) const;
  [[noreturn]] void unexpected(std::string_view wanted) const;

  const Source& source_;
  std::string_view text_;
  std::uint64_t at_;
};

}  // namespace understudy::program
