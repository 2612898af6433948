// SPDX-License-Identifier: Apache-2.0
// Errors on their way through the C API: an understudy::Error becomes a code and a text, as no
// exception may cross a C border. Immutable values, shared between events. Equivalents:
// absl::Status.
#pragma once

#include <memory>
#include <string>

#include "configs/base/error.h"
#include "pjrt/abi/types.h"

namespace understudy::pjrt {

struct Failure {
  abi::ErrorCode code = abi::kInternal;
  std::string message;
};
// nullptr: success.
using FailureRef = std::shared_ptr<const Failure>;

abi::ErrorCode code_of(ErrorKind kind);
// With place, caret and notes: frameworks show only this text.
FailureRef failure_of(const Error& error);
FailureRef make_failure(abi::ErrorCode code, std::string message);

// Thrown where the code matters more than the kind, and where a stored failure is reported again.
class Refusal {
 public:
  explicit Refusal(FailureRef failure) : failure_(std::move(failure)) {}
  Refusal(abi::ErrorCode code, std::string message)
      : failure_(make_failure(code, std::move(message))) {}
  const FailureRef& failure() const { return failure_; }

 private:
  FailureRef failure_;
};

// PJRT_Error. The framework destroys it.
struct ErrorHandle {
  FailureRef failure;
};

// The framework makes errors of ours with this function; it never changes.
extern abi::CallbackError make_error_callback;

}  // namespace understudy::pjrt
