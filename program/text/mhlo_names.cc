// SPDX-License-Identifier: Apache-2.0
#include "program/text/mhlo_names.h"

#include <string_view>

#include "program/ir/op_table.h"

namespace understudy::program {
namespace {

constexpr std::string_view kMhlo = "mhlo.";

}  // namespace

std::string without_mhlo(std::string operation) {
  if (!operation.starts_with(kMhlo)) return operation;
  std::string rest = operation.substr(kMhlo.size());
  // MHLO's topk became chlo.top_k; all other names are the same in the newer dialects.
  if (rest == "topk") rest = "top_k";
  for (const char* dialect : {"stablehlo.", "chlo."})
    if (find_op(dialect + rest) != nullptr) return dialect + rest;
  // An operation that has no successor keeps its name, and is reported under it.
  return operation;
}

std::string dialect_without_mhlo(std::string dialect) {
  return dialect == "mhlo" ? "stablehlo" : dialect;
}

}  // namespace understudy::program
