// SPDX-License-Identifier: Apache-2.0
// One launch of a loaded executable on one chip while it is put together. Until send() nothing has
// happened that cannot be taken back. Internal to loaded_executable.cc; of one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "pjrt/core/chip_link.h"
#include "pjrt/core/loaded_executable.h"

namespace understudy::pjrt {

class LoadedExecutable::Preparation {
 public:
  Preparation(LoadedExecutable& owner, std::size_t chip);
  ~Preparation();
  Preparation(const Preparation&) = delete;
  Preparation& operator=(const Preparation&) = delete;

  // *Throws* Error{capacity}, Refusal; the destructor undoes what was done until then.
  void fill(const ChipArguments& arguments, std::span<const std::int64_t> kept);
  const FailureRef& poison() const { return poison_; }
  // The donated arguments are gone from here on.
  void commit() { given_.clear(); }
  ChipResults send();

 private:
  struct Result {
    std::unique_ptr<Buffer> buffer;
    Memory* wanted = nullptr;
    bool moved = false;
  };

  void add_argument(Buffer& buffer, bool token);
  Storage on_chip(const Buffer& buffer, const Storage& from);
  void reuse_donated(const program::Donation& one, const std::vector<Buffer*>& arguments,
                     std::span<const std::int64_t> kept);
  void add_result(const CompiledParameter& result);

  LoadedExecutable& owner_;
  std::size_t chip_;
  ChipLink& link_;
  ChipLink::Launch launch_;
  FailureRef poison_;
  std::vector<Result> results_;
  std::vector<BlockRef> continues_;  // by result; nullptr: it gets memory of its own
  std::vector<std::pair<Buffer*, BlockRef>> given_;
};

}  // namespace understudy::pjrt
