// SPDX-License-Identifier: Apache-2.0
#include "pjrt/core/failure.h"

#include <array>
#include <string_view>

namespace understudy::pjrt {
namespace {

struct CodeRow {
  ErrorKind kind;
  abi::ErrorCode code;
};
// Frameworks choose their exception by this code.
constexpr std::array<CodeRow, 10> kCodes = {{
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
  for (const CodeRow& row : kCodes)
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

abi::CallbackError make_error_callback = [](abi::ErrorCode code, const char* message,
                                            std::size_t size) {
  return new ErrorHandle{make_failure(code, std::string(message, size))};
};

}  // namespace understudy::pjrt
