// SPDX-License-Identifier: Apache-2.0
// The border of the C API: functions of ours that take one argument struct and throw become table
// entries that return a PJRT_Error. One of the borders where errors are caught
// (docs/architecture.md).
#pragma once

#include <cstddef>
#include <exception>
#include <string>
#include <string_view>

#include "configs/base/host_memory.h"
#include "pjrt/abi/types.h"
#include "pjrt/core/failure.h"

namespace understudy::pjrt {

template <class Call>
ErrorHandle* guarded(const Call& call) noexcept {
  try {
    call();
    return nullptr;
  } catch (const Refusal& refusal) {
    return new ErrorHandle{refusal.failure()};
  } catch (const Error& error) {
    return new ErrorHandle{failure_of(error)};
  } catch (const std::exception& exception) {
    return new ErrorHandle{failure_of(error_from(exception))};
  }
}

template <auto function>
struct Entry;
template <class Args, void (*function)(Args&)>
struct Entry<function> {
  static ErrorHandle* call(void* args) noexcept {
    return guarded([&] { function(*static_cast<Args*>(args)); });
  }
};

template <auto function>
void set(abi::Api& api, abi::Slot slot) {
  api.functions[static_cast<std::size_t>(slot)] = &Entry<function>::call;
}

// Text for the caller; its owner keeps it.
inline void give_text(std::string_view from, const char*& to, std::size_t& size) {
  to = from.data();
  size = from.size();
}

// Whether the caller's struct is long enough to have that field.
#define UNDERSTUDY_PJRT_HAS(args, field) \
  ((args).struct_size >=                 \
   offsetof(std::remove_cvref_t<decltype(args)>, field) + sizeof((args).field))

// Each fills its part of the table.
void add_plugin(abi::Api& api);
void add_client(abi::Api& api);
void add_devices(abi::Api& api);
void add_topology(abi::Api& api);
void add_executable(abi::Api& api);
void add_execute(abi::Api& api);
void add_buffer(abi::Api& api);
void add_transfers(abi::Api& api);

// In front of `next`, in static storage.
abi::Extension* layouts_extension(abi::Extension* next);
abi::Extension* memory_descriptions_extension(abi::Extension* next);
abi::Extension* profiler_extension(abi::Extension* next);
// The first of a linked list in static storage.
abi::Extension* extensions();

}  // namespace understudy::pjrt
