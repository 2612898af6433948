// SPDX-License-Identifier: Apache-2.0
// The names of the operations of the program that a worker launched last, for failure records: the
// executor thread sets them, the main thread reads them when it has to leave at once. Thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace understudy::worker {

class ProgramAtWork {
 public:
  using OpNames = std::shared_ptr<const std::vector<std::string>>;

  void set(OpNames names) {
    const std::scoped_lock lock(mutex_);
    names_ = std::move(names);
  }

  // "stablehlo.all_reduce"; empty where it is not known.
  std::string op_name(std::int64_t ordinal) const {
    const std::scoped_lock lock(mutex_);
    if (names_ == nullptr || ordinal < 0) return "";
    const auto index = static_cast<std::size_t>(ordinal);
    return index < names_->size() ? (*names_)[index] : "";
  }

 private:
  mutable std::mutex mutex_;  // guards names_
  OpNames names_;
};

}  // namespace understudy::worker
