// SPDX-License-Identifier: Apache-2.0
#include "pjrt/core/key_value_store.h"

#include <memory>

#include "pjrt/core/failure.h"

namespace understudy::pjrt {

bool KeyValueStore::put(const std::string& key, const std::string& value) const {
  abi::KeyValuePutArgs args{};
  args.struct_size = sizeof args;
  args.key = key.data();
  args.key_size = key.size();
  args.value = value.data();
  args.value_size = value.size();
  args.callback_error = &make_error_callback;
  args.user_arg = put_arg_;
  // The callback makes its error with make_error_callback, so it is ours to delete.
  const std::unique_ptr<ErrorHandle> error(put_(&args));
  return error == nullptr;
}

// Blocks until another process has put the key. nullopt: it did not within the limit, or the
// service is gone.
std::optional<std::string> KeyValueStore::get(const std::string& key, Seconds limit) const {
  abi::KeyValueGetArgs args{};
  args.struct_size = sizeof args;
  args.key = key.data();
  args.key_size = key.size();
  args.timeout_in_ms =
      static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(limit).count());
  args.callback_error = &make_error_callback;
  args.user_arg = get_arg_;
  const std::unique_ptr<ErrorHandle> error(get_(&args));
  if (error != nullptr) return std::nullopt;
  std::string value(args.value, args.value_size);
  if (args.value_deleter_callback != nullptr) args.value_deleter_callback(args.value);
  return value;
}

}  // namespace understudy::pjrt
