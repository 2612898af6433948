// SPDX-License-Identifier: Apache-2.0
// For the borders that no exception may leave: main functions, threads. Pure function.
#pragma once

#include <exception>
#include <optional>

#include "configs/base/error.h"
#include "configs/base/host_memory.h"

namespace understudy {

// Runs `work`; the error that ended it, or nullopt. Exceptions of the standard library become
// errors, see error_from().
template <class Work>
std::optional<Error> caught(const Work& work) {
  try {
    work();
    return std::nullopt;
  } catch (const Error& error) {
    return error;
  } catch (const std::exception& exception) {
    return error_from(exception);
  }
}

}  // namespace understudy
