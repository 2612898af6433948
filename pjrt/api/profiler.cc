// SPDX-License-Identifier: Apache-2.0
// Extension Profiler of the C API: adds what the chips executed (launch_trace.h) to what the
// framework records of its own process. Frameworks up to JAX 0.9 call it without asking whether it
// is there.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "pjrt/abi/types.h"
#include "pjrt/api/entry.h"
#include "pjrt/core/launch_trace.h"

namespace understudy::pjrt {
namespace {

constexpr int kProfiler = 1;  // PJRT_Extension_Type

// The structs of profiler_c_api.h. Old callers do not fill in their struct_size.
struct Profiler {
  std::string collected;  // what collect() gave out: the framework reads it before it calls destroy
};
struct CreateArgs {
  std::size_t struct_size;
  const char* options;
  std::size_t options_size;
  Profiler* profiler;
};
UNDERSTUDY_PJRT_SIZE(CreateArgs, profiler, 32);
struct ProfilerArgs {  // of destroy, start and stop
  std::size_t struct_size;
  Profiler* profiler;
};
UNDERSTUDY_PJRT_SIZE(ProfilerArgs, profiler, 16);
struct CollectArgs {
  std::size_t struct_size;
  Profiler* profiler;
  std::uint8_t* buffer;
  std::size_t buffer_size_in_bytes;
};
UNDERSTUDY_PJRT_SIZE(CollectArgs, buffer_size_in_bytes, 32);

void create(CreateArgs& args) { args.profiler = new Profiler; }
void destroy(ProfilerArgs& args) { delete args.profiler; }
void start(ProfilerArgs& /*args*/) { LaunchTrace::of_process().start(); }
void stop(ProfilerArgs& /*args*/) { LaunchTrace::of_process().stop(); }
// Frameworks call once without a buffer, and read the plugin's; the header of the API speaks of a
// second call with a buffer of the caller's.
void collect(CollectArgs& args) {
  if (args.buffer != nullptr) {
    std::ranges::copy(args.profiler->collected, args.buffer);
    return;
  }
  args.profiler->collected = LaunchTrace::of_process().take_xspace();
  args.buffer_size_in_bytes = args.profiler->collected.size();
  if (!args.profiler->collected.empty())
    args.buffer = reinterpret_cast<std::uint8_t*>(args.profiler->collected.data());
}
// No function above fails, so there is no error to ask about.
void no_error(CreateArgs& /*args*/) {}

struct ProfilerApi {
  std::size_t struct_size;
  void* priv;
  abi::Function error_destroy, error_message, error_get_code, create, destroy, start, stop,
      collect_data;
};
static_assert(sizeof(ProfilerApi) == 80);
struct ProfilerExtension {
  abi::Extension base;
  const ProfilerApi* api;
  std::int64_t traceme_context_id;
};
static_assert(sizeof(ProfilerExtension) == 40);

}  // namespace

abi::Extension* profiler_extension(abi::Extension* next) {
  static const ProfilerApi kApi{sizeof(ProfilerApi),    nullptr,
                                &Entry<no_error>::call, &Entry<no_error>::call,
                                &Entry<no_error>::call, &Entry<create>::call,
                                &Entry<destroy>::call,  &Entry<start>::call,
                                &Entry<stop>::call,     &Entry<collect>::call};
  static ProfilerExtension profiler{{sizeof(ProfilerExtension), kProfiler, next}, &kApi, 0};
  return &profiler.base;
}

}  // namespace understudy::pjrt
