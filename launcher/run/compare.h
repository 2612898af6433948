// SPDX-License-Identifier: Apache-2.0
// Compares results with expected arrays, element by element: |got - want| <= atol + rtol * |want|.
// NaN equals NaN; narrow floats such as bf16 are widened first. Pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "program/npy.h"

namespace understudy::launcher {

struct Tolerance {
  double rtol = 1e-5;
  double atol = 1e-8;
};

struct Comparison {
  std::int64_t index = 0;  // of the result
  std::string name = {};   // by path; may be empty
  program::TensorType type;
  Tolerance tolerance;
  double max_abs_error = 0;  // over all elements
  double max_rel_error = 0;  // over elements with want != 0
  std::int64_t mismatches = 0;
  // The element that is furthest beyond its tolerance (or nearest to it), as text.
  std::string place, got, want;
  bool ok() const { return mismatches == 0; }
};

// `want` has the shape of `got` or, where `got` has the replica as leading axis, that of one
// replica: then each replica is compared with it. *Throws* Error{input} naming `file` where shape
// or element type differ.
Comparison compare(std::int64_t index, const program::Array& got, const program::Array& want,
                   const Tolerance& tolerance, const std::string& file);

// The comparison table: one line per result, with its largest difference.
std::string comparison_table(const std::vector<Comparison>& all);

}  // namespace understudy::launcher
