// SPDX-License-Identifier: Apache-2.0
// The program's arguments: where each comes from, and the check that it is what the program takes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "program/compile.h"
#include "program/npy.h"

namespace understudy::launcher {

// What the command line or a manifest says about one argument.
struct ArgumentSource {
  std::string file;                             // empty: none was named
  std::optional<program::ElementType> element;  // what the file means, where that was said
  bool per_replica = false;                     // the leading axis is the replica
};

// `--fill`: "zeros", "ones" or "random:SEED". *Throws* Error{usage} for others.
struct Fill {
  enum class Kind : std::uint8_t { none, zeros, ones, random };
  Kind kind = Kind::none;
  std::uint64_t seed = 0;
};
Fill parse_fill(const std::string& text);

// Values of a whole argument. Random floats are normal with a standard deviation of 0.02, random
// integers and booleans are zeros.
program::Array filled(const program::TensorType& type, const Fill& fill, std::int64_t index);

// Reads or fills argument `index`. *Throws* Error{usage} naming an argument that nothing gives, and
// Error{input} naming a file of the wrong shape or type with what was expected.
program::Array argument_array(std::int64_t index, const program::Parameter& parameter,
                              const ArgumentSource& source, const Fill& fill,
                              std::int64_t replicas);

// "f32[64x32]", "f32 scalar".
std::string type_text(const program::TensorType& type);

}  // namespace understudy::launcher
