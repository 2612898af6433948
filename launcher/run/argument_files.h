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
  std::string file;                                  // .npy or .npz; empty: not given
  std::optional<program::ElementType> element = {};  // element type of the file, if declared
  bool per_replica = false;                          // the leading axis is the replica
  std::string member = {};                           // of an .npz file
  std::optional<program::Shape> shape = {};          // if the manifest declares it
  // Positive: the leading axis, before that of replicas, is the step, and has this size.
  std::int64_t steps = 0;
  bool per_step() const { return steps > 0; }

  std::string text() const;  // "x.npy", "x.npz: arg0", for messages
};
// Reads the array, or its type alone. *Throws* as program::read_npy().
program::Array read_array(const ArgumentSource& source, program::ElementType wanted);
program::TensorType array_type(const ArgumentSource& source, program::ElementType wanted);

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

// The array of one step, without the leading axis of steps.
program::Array array_of_step(const program::Array& all, std::int64_t step);

// Of an argument with data for each step: *throws* Error{input} unless the leading axis of its file
// has source.steps elements.
void check_steps_of_file(std::int64_t index, const program::Parameter& parameter,
                         const ArgumentSource& source);

// "f32[64x32]", "f32 scalar".
std::string type_text(const program::TensorType& type);

}  // namespace understudy::launcher
