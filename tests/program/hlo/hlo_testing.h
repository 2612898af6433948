// SPDX-License-Identifier: Apache-2.0
// HLO of this folder, and mutants of it.
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "program/compare/listing.h"
#include "program/read.h"

namespace understudy::program {

// Reads, converts and verifies. The text of an error that is the user's; "" where there is none.
// Any other exception passes.
inline std::string outcome_of(std::string bytes) {
  try {
    const auto source = std::make_shared<const Source>("x.hlo", bytes);
    const auto module = parse(source);
    verify(*module);
    compare::listing_of(source, compare::Form::hlo);
  } catch (const Error& error) {
    const bool of_the_user = error.kind() == ErrorKind::input ||
                             error.kind() == ErrorKind::unsupported ||
                             error.kind() == ErrorKind::capacity;
    if (!of_the_user) throw;
    return error.text();
  }
  return "";
}

// What mutant_of() puts in.
inline const std::vector<std::string>& damaging_words() {
  static const std::vector<std::string> kWords = {"-1",
                                                  "9223372036854775807",
                                                  "4294967296",
                                                  "{",
                                                  "}",
                                                  "(",
                                                  ")",
                                                  "\"",
                                                  ",",
                                                  "=",
                                                  "[",
                                                  "]",
                                                  "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
                                                  std::string(4, '\0'),
                                                  "f32[1000000,1000000]",
                                                  "%"};
  return kWords;
}

// One of several damages: bytes replaced, inserted, removed; a piece repeated or moved; the end cut
// off; a number replaced by an extreme one.
inline std::string mutant_of(const std::string& whole, std::mt19937& random) {
  const std::vector<std::string>& words = damaging_words();
  std::string bytes = whole;
  for (int edits = 1 + static_cast<int>(random() % 3); edits > 0 && !bytes.empty(); --edits) {
    const std::size_t at = random() % bytes.size();
    const std::size_t size = std::min<std::size_t>(random() % 40, bytes.size() - at);
    switch (random() % 7) {
      case 0:
        bytes[at] = static_cast<char>(random());
        break;
      case 1:
        bytes.insert(at, words[random() % words.size()]);
        break;
      case 2:
        bytes.erase(at, size);
        break;
      case 3:
        bytes.insert(random() % bytes.size(), bytes.substr(at, size));
        break;
      case 4:
        bytes.resize(at);
        break;
      case 5:
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << random() % 8));
        break;
      default:
        bytes.replace(at, size, words[random() % words.size()]);
    }
  }
  return bytes;
}

}  // namespace understudy::program
