// SPDX-License-Identifier: Apache-2.0
#include "program/executable/lapack.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <optional>

#include "configs/base/error.h"

namespace understudy::program {

namespace {

// In the order of the enumeration.
constexpr std::array<RoutineRow, 17> kRoutines = {{
    {Routine::potrf, "potrf", "T:nn", "T:nn I:", ""},
    {Routine::getrf, "getrf", "T:mn", "T:mn I:k I:", ""},
    {Routine::lu, "lu", "T:mn", "T:mn I:k I:m", ""},
    {Routine::geqrf, "geqrf", "T:mn", "T:mn T:k", ""},
    {Routine::geqp3, "geqp3", "T:mn I:n", "T:mn I:n T:k", ""},
    {Routine::orgqr, "orgqr", "T:mn T:q", "T:mn", ""},
    {Routine::ormqr, "ormqr", "T:mn T:q T:rs", "T:rs", ""},
    {Routine::syevd, "syevd", "T:nn", "T:nn R:n I:", ""},
    {Routine::eigh, "eigh", "T:nn", "T:nn R:n", ""},
    {Routine::gesdd, "gesdd", "T:mn", "T:mn R:k T:mu T:vn I:", ""},
    {Routine::gesvd, "gesvd", "T:mn", "T:mn R:k T:mu T:vn I:", ""},
    {Routine::geev, "geev", "T:nn", "R:n R:n C:nn C:nn I:", "T:n C:nn C:nn I:"},
    {Routine::gees, "gees", "T:nn", "T:nn T:nn R:n R:n I: I:", "T:nn T:nn T:n I: I:"},
    {Routine::gehrd, "gehrd", "T:nn", "T:nn T:j I:", ""},
    {Routine::sytrd, "sytrd", "T:nn", "T:nn R:n R:j T:j I:", ""},
    {Routine::gtsv, "gtsv", "T:n T:n T:n T:nr", "T:n T:n T:n T:nr I:", ""},
    {Routine::gtsv_perturbed, "gtsv_perturbed", "T:n T:n T:n T:nr", "T:nr", ""},
}};
static_assert(static_cast<std::size_t>(Routine::gtsv_perturbed) + 1 == kRoutines.size());

constexpr std::int64_t kMostOfLapack = INT32_MAX;

ElementType real_of(ElementType element) {
  if (element == ElementType::c64) return ElementType::f32;
  return element == ElementType::c128 ? ElementType::f64 : element;
}

ElementType complex_of(ElementType element) {
  return real_of(element) == ElementType::f64 ? ElementType::c128 : ElementType::c64;
}

ElementType element_of(char kind, ElementType element) {
  if (kind == 'R') return real_of(element);
  if (kind == 'C') return complex_of(element);
  return kind == 'I' ? ElementType::i32 : element;
}

using Sizes = std::map<char, std::int64_t>;

// The size of a letter, if it is known from earlier letters.
std::optional<std::int64_t> size_of(char letter, const Sizes& sizes) {
  if (const auto found = sizes.find(letter); found != sizes.end()) return found->second;
  if (letter == 'k' && sizes.contains('m')) return std::min(sizes.at('m'), sizes.at('n'));
  if (letter == 'j') return std::max<std::int64_t>(sizes.at('n') - 1, 0);
  return std::nullopt;
}

// Checks a type against a word and learns the sizes of new letters from it.
bool takes(std::string_view word, const TensorType& type, ElementType element, const Shape& batch,
           Sizes& sizes) {
  const std::string_view letters = word.substr(2);
  const std::size_t ndims = batch.size() + letters.size();
  if (type.element != element_of(word[0], element) || type.shape.size() != ndims) return false;
  if (!std::equal(batch.begin(), batch.end(), type.shape.begin())) return false;
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const std::int64_t actual = type.shape[batch.size() + i];
    const auto wanted = size_of(letters[i], sizes);
    if (wanted && *wanted != actual) return false;
    if (actual > kMostOfLapack) return false;
    sizes.emplace(letters[i], actual);
  }
  return true;
}

std::string expected(std::string_view what, std::string_view words, std::size_t index,
                     const TensorType& type) {
  return fmt::format(
      "{} {} is {}, expected {} (T: the type of the first operand, R: its real part, C: complex, "
      "I: i32; then one letter per dimension after the batch)",
      what, index, text_of(type), words_of(words)[index]);
}

// What no letter says: reflectors are at most the columns; u and vt are thin or square.
std::string bad_sizes(const Lapack& work, const Sizes& sizes) {
  const auto at = [&](char letter) { return *size_of(letter, sizes); };
  switch (work.routine) {
    case Routine::orgqr:
      if (at('q') <= at('n') && at('n') <= at('m')) return {};
      return "expected at most as many reflectors as columns, and columns as rows";
    case Routine::ormqr:
      if (at('q') <= std::min(at('m'), at('n')) && at(work.left ? 'r' : 's') == at('m')) return {};
      return "the reflectors do not match the matrix that is multiplied";
    case Routine::gesdd:
    case Routine::gesvd:
      if ((at('u') == at('m') && at('v') == at('n')) || (at('u') == at('k') && at('v') == at('k')))
        return {};
      return "u and vt are neither full nor thin";
    default:
      return {};
  }
}

}  // namespace

const RoutineRow& row_of(Routine routine) {
  return kRoutines.at(static_cast<std::size_t>(routine));
}

std::vector<std::string_view> words_of(std::string_view words) {
  std::vector<std::string_view> list;
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    list.push_back(words.substr(0, end));
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return list;
}

std::string_view outputs_of(const RoutineRow& row, ElementType element) {
  return is_complex(element) && !row.complex_outputs.empty() ? row.complex_outputs : row.outputs;
}

std::string misfit(const Lapack& work, std::span<const TensorType> inputs,
                   std::span<const TensorType> outputs) {
  const RoutineRow& row = row_of(work.routine);
  const std::size_t wanted = words_of(row.inputs).size();
  if (inputs.size() != wanted)
    return fmt::format("{} operands, expected {}", inputs.size(), wanted);
  const ElementType element = inputs[0].element;
  if (!is_float(element) && !is_complex(element))
    return fmt::format("operand 0 is {}, expected floats or complex numbers", text_of(inputs[0]));
  const std::size_t letters = words_of(row.inputs)[0].size() - 2;
  if (inputs[0].shape.size() < letters) return expected("operand", row.inputs, 0, inputs[0]);
  const Shape batch(inputs[0].shape.begin(),
                    inputs[0].shape.end() - static_cast<std::ptrdiff_t>(letters));
  Sizes sizes;
  const auto all = [&](std::string_view what, std::string_view words,
                       std::span<const TensorType> types) -> std::string {
    const auto list = words_of(words);
    if (types.size() != list.size())
      return fmt::format("{} {}s, expected {}", types.size(), what, list.size());
    for (std::size_t i = 0; i < list.size(); ++i)
      if (!takes(list[i], types[i], element, batch, sizes))
        return expected(what, words, i, types[i]);
    return {};
  };
  std::string wrong = all("operand", row.inputs, inputs);
  if (wrong.empty()) wrong = all("result", outputs_of(row, element), outputs);
  return wrong.empty() ? bad_sizes(work, sizes) : wrong;
}

}  // namespace understudy::program
