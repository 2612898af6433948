// SPDX-License-Identifier: Apache-2.0
// How fields are written to an archive and read from it. Boost trusts every length, flag and number
// that it reads. Here a length is trusted only as far as there are bytes, a flag must be 0 or 1,
// and an enumerator must exist. Internal to archive.cc. *Throws* std::runtime_error.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "program/executable/executable.h"

namespace understudy::cache {

using std::runtime_error;

// One function for both directions: the archive decides whether a field is written or read.
template <class Archive, class Field>
void visit_field(Archive& archive, Field& field) {
  if constexpr (std::is_enum_v<Field>) {
    auto number = static_cast<std::uint8_t>(field);
    archive& number;
    if (number > static_cast<std::uint8_t>(last_of(Field{})))
      throw runtime_error("unknown enumerator");
    field = static_cast<Field>(number);
  } else if constexpr (std::is_same_v<Field, bool>) {
    // Not written as bool, of which Boost would accept any byte.
    std::uint8_t number = field ? 1 : 0;
    archive& number;
    if (number > 1) throw runtime_error("boolean is neither 0 nor 1");
    field = number == 1;
  } else {
    archive& field;
  }
}

// The first step of a growing block; each later step doubles it.
inline constexpr std::size_t kBytesAtOnce = std::size_t{4} << 20;

// A contiguous block of numbers or characters, stored as a count and the raw bytes.
template <class Archive, class Block>
void visit_block(Archive& archive, Block& block) {
  using Element = typename Block::value_type;
  std::uint64_t count = block.size();
  archive& count;
  if constexpr (Archive::is_saving::value) {
    archive.save_binary(block.data(), count * sizeof(Element));
  } else {
    block.clear();
    // A damaged count may be huge. The block grows in steps, and load_binary throws at the end of
    // the bytes, so at most one step more than the entry's size is allocated.
    for (std::size_t done = 0; done < count; done = block.size()) {
      const std::size_t at_once = std::max(kBytesAtOnce / sizeof(Element), done);
      block.resize(done + static_cast<std::size_t>(std::min<std::uint64_t>(at_once, count - done)));
      archive.load_binary(block.data() + done, (block.size() - done) * sizeof(Element));
    }
  }
}

template <class Archive>
void visit_field(Archive& archive, std::string& text) {
  visit_block(archive, text);
}

template <class Archive, class Element>
void visit_field(Archive& archive, std::vector<Element>& all) {
  // vector<bool> packs its elements, so it has no block to write.
  constexpr bool plain = (std::is_arithmetic_v<Element> && !std::is_same_v<Element, bool>) ||
                         std::is_same_v<Element, std::byte> ||
                         std::is_same_v<Element, program::ProcessId>;
  if constexpr (plain) {
    visit_block(archive, all);
  } else {
    std::uint64_t count = all.size();
    archive& count;
    for (std::uint64_t i = 0; i < count; ++i) {
      Element element{};
      if constexpr (Archive::is_saving::value) element = all[i];
      visit_field(archive, element);
      if constexpr (Archive::is_loading::value) all.push_back(std::move(element));
    }
  }
}

template <class Archive, class... Fields>
void visit_fields(Archive& archive, Fields&... fields) {
  (visit_field(archive, fields), ...);
}

// The end of a list of fields, and classes without any.
template <class Archive>
void visit_fields(Archive& /*archive*/) {}

// The nesting depth of the code being read. The compiler never produces deeper code; a deeper
// archive would overflow the stack.
struct Nesting {
  static constexpr int kMost = 1024;
  int depth = 0;
};
inline constexpr char kNesting = 0;  // its address is the key of the archive's helper

class Nested {
 public:
  explicit Nested(Nesting& nesting) : nesting_(nesting) {
    if (++nesting_.depth > Nesting::kMost) throw runtime_error("nested too deeply");
  }
  ~Nested() { --nesting_.depth; }
  Nested(const Nested&) = delete;
  Nested& operator=(const Nested&) = delete;

 private:
  Nesting& nesting_;
};

}  // namespace understudy::cache
