// SPDX-License-Identifier: Apache-2.0
// The page docs/operations.md: every operation of program/ir/ops.def, its text form, whether it
// runs and which self-checking programs use it. Made from the tables that the reader and the
// lowering work by, so that the page cannot say anything else. Reads files; throws Error{system,
// input}.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace understudy::program {

// Operation name -> file names (without folder) of the self-checking programs that contain it.
using Uses = std::map<std::string, std::set<std::string>, std::less<>>;

// Of the .mlir files in these folders; of a custom call also "stablehlo.custom_call @TARGET".
Uses uses_in(const std::vector<std::string>& folders);

// The programs that call a target of custom calls, or with "mhlo.*" one that begins so.
std::set<std::string> programs_of_target(std::string_view target, const Uses& uses);

// Whether the lowering has a row for it. Custom calls run by their target, so they count as known.
bool runs(std::string_view name);

// Why an operation does not run, or where it is run if not by an instruction; empty if unknown.
std::string_view reason_of(std::string_view name);
std::vector<std::string_view> names_with_reasons();

std::string operations_page(const Uses& uses);

}  // namespace understudy::program
