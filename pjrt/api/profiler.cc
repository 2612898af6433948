// SPDX-License-Identifier: Apache-2.0
// Extension Profiler of the C API. It has nothing to add to what the framework records of its own
// process, but frameworks up to JAX 0.9 need it: they call it without asking whether it is there.
#include <cstddef>
#include <cstdint>

#include "pjrt/abi/types.h"
#include "pjrt/api/entry.h"

namespace understudy::pjrt {
namespace {

constexpr int kProfiler = 1;  // PJRT_Extension_Type

// The structs of profiler_c_api.h. Old callers do not fill in their struct_size.
struct Profiler {};
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
void start_or_stop(ProfilerArgs& /*args*/) {}
// An XSpace without planes is no bytes.
void collect(CollectArgs& args) {
  args.buffer = nullptr;
  args.buffer_size_in_bytes = 0;
}
// No function above fails, so there is no error to ask about.
void about_error(CreateArgs& /*args*/) {}

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
  static const ProfilerApi kApi{sizeof(ProfilerApi),         nullptr,
                                &Entry<about_error>::call,   &Entry<about_error>::call,
                                &Entry<about_error>::call,   &Entry<create>::call,
                                &Entry<destroy>::call,       &Entry<start_or_stop>::call,
                                &Entry<start_or_stop>::call, &Entry<collect>::call};
  static ProfilerExtension profiler{{sizeof(ProfilerExtension), kProfiler, next}, &kApi, 0};
  return &profiler.base;
}

}  // namespace understudy::pjrt
