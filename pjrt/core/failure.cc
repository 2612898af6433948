// SPDX-License-Identifier: Apache-2.0
#include "pjrt/core/failure.h"

#include <array>
#include <string_view>

namespace understudy::pjrt {
namespace {

struct Row {
  ErrorKind kind;
  abi::ErrorCode code;
};
constexpr std::array<Row, 10> kRows = {{
    {ErrorKind::check, abi::kFailedPrecondition},
    {ErrorKind::usage, abi::kInvalidArgument},
    {ErrorKind::input, abi::kInvalidArgument},
    {ErrorKind::config, abi::kInvalidArgument},
    {ErrorKind::unsupported, abi::kUnimplemented},
    {ErrorKind::protocol, abi::kFailedPrecondition},
    {ErrorKind::timeout, abi::kUnavailable},
    {ErrorKind::capacity, abi::kResourceExhausted},
    {ErrorKind::internal, abi::kInternal},
    {ErrorKind::system, abi::kUnavailable},
}};

}  // namespace

abi::ErrorCode code_of(ErrorKind kind) {
  for (const Row& row : kRows)
    if (row.kind == kind) return row.code;
  return abi::kInternal;
}

FailureRef failure_of(const Error& error) {
  // The framework puts the name of the code before every message; ours of the HBM have it already.
  constexpr std::string_view kExhausted = "RESOURCE_EXHAUSTED: ";
  std::string text = error.text();
  for (const std::string_view prefix : {std::string_view("error: "), kExhausted})
    if (text.starts_with(prefix)) text.erase(0, prefix.size());
  return make_failure(code_of(error.kind()), std::move(text));
}

FailureRef make_failure(abi::ErrorCode code, std::string message) {
  return std::make_shared<const Failure>(Failure{code, std::move(message)});
}

}  // namespace understudy::pjrt
