// SPDX-License-Identifier: Apache-2.0
// From a line of a lowered program to the line of Python that it comes from, by the locations that
// JAX writes into the text. Immutable after it is made. Equivalent: python/understudy/_places.py.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace understudy::program {

class PythonPlaces {
 public:
  // `text` must outlive this. A portable artifact has no such lines: nothing is found.
  explicit PythonPlaces(std::string_view text);

  // "file:line:column" of the user's Python for the operation that starts in this line (from 1);
  // nullopt if the program does not say. Frames inside JAX and this package are passed over.
  std::optional<std::string> of_line(std::int64_t line) const;

  // The names that JAX wrote as locations of the arguments of the public function: "params['w']".
  // Empty where an argument has none; no names at all where the head of the function has none.
  std::vector<std::string> argument_names() const;

 private:
  std::optional<std::string> name_of(std::string_view location) const;
  std::optional<std::string_view> alias_at(std::size_t line) const;
  std::optional<std::size_t> first_call(std::size_t line) const;
  std::optional<std::string> file_of(std::string_view alias) const;

  std::vector<std::string_view> lines_;
  std::unordered_map<std::string_view, std::string_view> aliases_;  // "#loc3": what it stands for
};

}  // namespace understudy::program
