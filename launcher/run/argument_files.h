// SPDX-License-Identifier: Apache-2.0
// The arguments of a program: their sources, and the check that each has the type the program
// expects.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "program/compile.h"
#include "program/npy.h"

namespace understudy::launcher {

// The source of one argument, from the command line or a manifest.
struct ArgumentSource {
  std::string file;                             // empty: not given
  std::optional<program::ElementType> element;  // element type of the file, if declared
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

// Reads or fills argument `index`. *Throws* Error{usage} for a missing argument, and
// Error{input} for a file of the wrong shape or type; both name what was expected.
program::Array argument_array(std::int64_t index, const program::Parameter& parameter,
                              const ArgumentSource& source, const Fill& fill,
                              std::int64_t replicas);

// "f32[64x32]", "f32 scalar".
std::string type_text(const program::TensorType& type);

}  // namespace understudy::launcher
