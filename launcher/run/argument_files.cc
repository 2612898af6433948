// SPDX-License-Identifier: Apache-2.0
#include "launcher/run/argument_files.h"

#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

#include "configs/base/error.h"
#include "launcher/run/parameter_names.h"
#include "launcher/run/tiles.h"
#include "program/kernels/kernels.h"
#include "program/npz.h"

namespace understudy::launcher {
namespace {

using program::Array;
using program::ElementType;
using program::TensorType;

// Standard deviation of random values. GPT-2 initialises its weights with it, so that activations
// of deep programs neither vanish nor overflow.
constexpr double kSpread = 0.02;
constexpr std::string_view kRandom = "random:";

// splitmix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014), so that
// a seed gives the same values on every machine; the distributions of <random> differ between
// libraries.
class RandomFill {
 public:
  explicit RandomFill(std::uint64_t seed) : state_(seed) {}
  // Uses one of the two values that the transform yields; simple and fast enough for filling
  // arrays.
  double normal() {  // Box-Muller transform
    const double radius = std::sqrt(-2 * std::log(1 - uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  }

 private:
  double uniform() {  // [0, 1)
    state_ += 0x9e3779b97f4a7c15;
    std::uint64_t bits = state_;
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111eb;
    // The top 53 bits, the precision of a double.
    return std::ldexp(static_cast<double>((bits ^ bits >> 31) >> 11), -53);
  }
  std::uint64_t state_;
};

// The element type of real and imaginary parts; any other type itself.
// Complex numbers are filled as pairs of their part type.
ElementType part_of(ElementType type) {
  if (type == ElementType::c64) return ElementType::f32;
  if (type == ElementType::c128) return ElementType::f64;
  return type;
}

std::string name_text(std::int64_t index, const program::Parameter& parameter) {
  return label_of("argument", index, parameter.name);
}

}  // namespace

std::string ArgumentSource::text() const {
  return member.empty() ? file : fmt::format("{}: {}", file, member);
}

Array read_array(const ArgumentSource& source, ElementType wanted) {
  if (source.member.empty()) return program::read_npy(source.file, wanted);
  return program::NpzFile(source.file).read(source.member, wanted);
}

TensorType array_type(const ArgumentSource& source, ElementType wanted) {
  if (source.member.empty()) return program::npy_type(source.file, wanted);
  return program::NpzFile(source.file).type(source.member, wanted);
}

Fill parse_fill(const std::string& text) {
  if (text.empty()) return {};
  if (text == "zeros") return {Fill::Kind::zeros, 0};
  if (text == "ones") return {Fill::Kind::ones, 0};
  Fill fill{Fill::Kind::random, 0};
  if (text.starts_with(kRandom)) {
    const char* end = text.data() + text.size();
    const auto [stop, code] = std::from_chars(text.data() + kRandom.size(), end, fill.seed);
    if (code == std::errc() && stop == end) return fill;
  }
  throw Error(ErrorKind::usage,
              fmt::format("--fill: expected random:SEED, zeros or ones, got '{}'", text));
}

// Values are generated as doubles and converted, so the same seed gives rounded versions of the
// same numbers in every float type.
Array filled(const TensorType& type, const Fill& fill, std::int64_t index) {
  Array array{type, Bytes(static_cast<std::size_t>(type.bytes()))};
  const ElementType part = part_of(type.element);
  const bool random = fill.kind == Fill::Kind::random && is_float(part);
  if (!random && fill.kind != Fill::Kind::ones) return array;
  const auto convert = program::kernels::select("portable").convert(ElementType::f64, part);
  UNDERSTUDY_ASSERT(convert != nullptr);
  constexpr std::uint64_t kApart =
      0xd1342543de82ef95;  // separates the random streams of the arguments
  RandomFill draws(fill.seed + static_cast<std::uint64_t>(index + 1) * kApart);
  const std::size_t width = byte_size(part);
  const bool pair = part != type.element;
  for (std::size_t at = 0; at < array.bytes.size(); at += width) {
    const bool imaginary = pair && at / width % 2 == 1;
    const double value = random ? kSpread * draws.normal() : imaginary ? 0.0 : 1.0;
    convert(&value, array.bytes.data() + at, 1);
  }
  return array;
}

// Checks the header of the file before it reads the data, so that a wrong file of any size fails at
// once.
Array argument_array(std::int64_t index, const program::Parameter& parameter,
                     const ArgumentSource& source, const Fill& fill, std::int64_t replicas) {
  TensorType expected = parameter.global;
  if (source.per_replica && parameter.sharding.per_replica)
    expected.shape = shape_of_all_replicas(parameter, replicas);
  if (source.per_step()) expected.shape.insert(expected.shape.begin(), source.steps);
  if (source.file.empty()) {
    if (fill.kind != Fill::Kind::none) return filled(expected, fill, index);
    Error error(ErrorKind::usage, fmt::format("{} is missing, expected {}",
                                              name_text(index, parameter), type_text(expected)));
    throw error.note(fmt::format(
        "pass --arg {}=FILE.npy or --args DIR, or fill all missing arguments with --fill", index));
  }
  const program::ElementType wanted = source.element.value_or(expected.element);
  const TensorType found = array_type(source, wanted);
  if (found == expected) return read_array(source, wanted);
  throw Error(ErrorKind::input,
              fmt::format("{}: {} must be {}, but the file has {}", source.text(),
                          name_text(index, parameter), type_text(expected), type_text(found)));
}

Array array_of_step(const Array& all, std::int64_t step) {
  Array one{all.type, {}};
  one.type.shape.erase(one.type.shape.begin());
  const auto bytes = static_cast<std::ptrdiff_t>(one.type.bytes());
  one.bytes.assign(all.bytes.begin() + step * bytes, all.bytes.begin() + (step + 1) * bytes);
  return one;
}

void check_steps_of_file(std::int64_t index, const program::Parameter& parameter,
                         const ArgumentSource& source) {
  if (source.file.empty()) return;  // filled, or reported as missing
  const TensorType found = array_type(source, source.element.value_or(parameter.global.element));
  const bool has_axis = found.ndims() > parameter.global.ndims();
  if (has_axis && found.shape.front() == source.steps) return;
  throw Error(
      ErrorKind::input,
      fmt::format("{}: --per-step {}: expected one {} for each of {} step{} (a leading axis "
                  "of {}), but the file has {}",
                  source.text(), index, type_text(parameter.global), source.steps,
                  source.steps == 1 ? "" : "s", source.steps, type_text(found)))
      .note(has_axis ? fmt::format("pass --steps {}", found.shape.front())
                     : "stack the arrays of the steps: numpy.stack(arrays)");
}

std::string type_text(const TensorType& type) {
  std::string sizes;
  for (const std::int64_t size : type.shape)
    sizes += fmt::format("{}{}", sizes.empty() ? "" : "x", size);
  return type.shape.empty() ? fmt::format("{} scalar", mlir_name(type.element))
                            : fmt::format("{}[{}]", mlir_name(type.element), sizes);
}

}  // namespace understudy::launcher
