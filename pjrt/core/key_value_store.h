// SPDX-License-Identifier: Apache-2.0
// The key-value store that the framework shares between the processes of a job (JAX: its
// coordination service). Thread-safe, as the framework's callbacks are. Equivalents:
// xla::KeyValueStoreInterface.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "configs/base/deadline.h"
#include "pjrt/abi/types.h"

namespace understudy::pjrt {

class KeyValueStore {
 public:
  KeyValueStore() = default;
  KeyValueStore(abi::KeyValueGet getter, void* get_arg, abi::KeyValuePut putter, void* put_arg)
      : get_(getter), get_arg_(get_arg), put_(putter), put_arg_(put_arg) {}

  bool exists() const { return get_ != nullptr && put_ != nullptr; }
  // False where the store refuses: there is no coordination service, or the key exists.
  bool put(const std::string& key, const std::string& value) const;
  // Waits for the key; nullopt where it does not appear in time.
  std::optional<std::string> get(const std::string& key, Seconds limit) const;

 private:
  abi::KeyValueGet get_ = nullptr;
  void* get_arg_ = nullptr;
  abi::KeyValuePut put_ = nullptr;
  void* put_arg_ = nullptr;
};

}  // namespace understudy::pjrt
