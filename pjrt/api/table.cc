// SPDX-License-Identifier: Apache-2.0
// The table of the C API. A function that is absent returns UNIMPLEMENTED with its name.
#include <array>
#include <cstddef>
#include <fmt/format.h>
#include <string_view>
#include <type_traits>
#include <utility>

#include "pjrt/api/entry.h"

namespace understudy::pjrt {
namespace {

constexpr std::array<std::string_view, abi::kSlots> kNames = {
#define ROW(name) #name,
#include "pjrt/abi/functions.def"
#undef ROW
};

template <std::size_t slot>
// One instance per slot, because a C function pointer carries no state from which to take the name.
ErrorHandle* absent(void* /*args*/) {
  return new ErrorHandle{make_failure(
      abi::kUnimplemented, fmt::format("understudy does not implement PJRT_{}", kNames[slot]))};
}

template <std::size_t... slot>
void fill(abi::Api& api, std::index_sequence<slot...> /*all*/) {
  ((api.functions[slot] = &absent<slot>), ...);
}

abi::Api make() {
  abi::Api api{};
  // The table is longer than that of version 0.91: callers that go by its size find the later
  // functions up to Device_ClearMemoryStats. jaxlib 0.10 does so for Error_ForEachPayload, else it
  // goes by the version, which stays at 0.91: from 0.105 on handles must begin with tables of
  // functions.
  api.struct_size = sizeof api;
  api.extension_start = extensions();
  api.version = {sizeof(abi::Version), nullptr, abi::kMajor, abi::kMinor};
  fill(api, std::make_index_sequence<abi::kSlots>());
  add_plugin(api);
  add_client(api);
  add_devices(api);
  add_topology(api);
  add_executable(api);
  add_execute(api);
  add_buffer(api);
  add_transfers(api);
  return api;
}

}  // namespace
}  // namespace understudy::pjrt

// The only exported symbol (pjrt/exports.map).
extern "C" __attribute__((visibility("default"))) const understudy::pjrt::abi::Api* GetPjrtApi() {
  // The framework keeps the pointer as long as the process lives, and calls it from several
  // threads.
  static const understudy::pjrt::abi::Api kApi = understudy::pjrt::make();
  return &kApi;
}
