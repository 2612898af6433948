// SPDX-License-Identifier: Apache-2.0
// Arguments of exported programs that must be settled before a program is compiled: arguments with
// open sizes ("?"), dimension variables that are arguments, and JAX's platform index. Settling
// rewrites the entry function; the module stays valid, and its text reads back to an equal module.
// Not thread-safe for one module. Equivalents: stablehlo-refine-arguments, jax.export's calling
// convention.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "program/compile.h"
#include "program/ir/ir.h"

namespace understudy::program {

// A module attribute of raw jax.export files: the platforms of the platform index in order,
// "cpu,tpu".
inline constexpr std::string_view kPlatforms = "understudy.platforms";

// What is known about one argument before the program is compiled.
struct GivenArgument {
  std::optional<TensorType> type;          // the real type, for an argument with open sizes
  std::optional<std::int64_t> value = {};  // the value of a dimension variable
};

// Whether an argument of the entry function has open sizes or is a dimension variable.
bool has_open_arguments(const Module& module, const CompileOptions& options);
// The name of the dimension variable that argument `index` holds ("b"); empty if it holds none.
std::string dimension_variable(const Function& entry, std::size_t index);

// The number of branches that the platform index of the entry function selects from; 0 if the
// function has no such argument, 1 if no operation selects by it.
std::int64_t platform_count(const Module& module, const CompileOptions& options);
// Replaces the platform index by a constant and removes the argument; of operations that select by
// it, the branches of other platforms are removed. *Requires* that the entry
// function has one.
void fill_platform_index(Module& module, const CompileOptions& options, std::int64_t index);

// Gives every open argument its real type, and every dimension variable its value. `given` has one
// element per argument. *Throws* Error{input} at an argument whose real type does not fit the
// written one, and Error{usage} for one of which nothing is known.
void refine_arguments(Module& module, const CompileOptions& options,
                      std::span<const GivenArgument> given);

}  // namespace understudy::program
