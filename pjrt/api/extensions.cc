// SPDX-License-Identifier: Apache-2.0
// Extensions of the C API. Shardings: without it the outputs of a jit over several chips whose
// sharding the framework did not pin would have none.
#include "pjrt/abi/types.h"
#include "pjrt/api/entry.h"
#include "pjrt/core/compile/executable.h"

namespace understudy::pjrt {
namespace {

constexpr int kShardings = 19;  // PJRT_Extension_Type

// Layout of PJRT_Shardings_PJRT_Executable_*_Args (pjrt_c_api_shardings_extension.h).
struct ShardingsArgs {
  std::size_t struct_size;
  void* extension_start;
  Executable* executable;
  std::size_t num;
  const char* const* shardings;
  const std::size_t* sharding_sizes;
};
static_assert(sizeof(ShardingsArgs) == 48);

struct ShardingsExtension {
  abi::Extension base;
  abi::Function parameter_shardings;
  abi::Function output_shardings;
};
static_assert(sizeof(ShardingsExtension) == 40);

void tell(const TextList& list, ShardingsArgs& args) {
  // Nothing is sharded on one chip.
  const bool none = args.executable->compiled().partitions <= 1;
  args.num = none ? 0 : list.texts.size();
  args.shardings = none ? nullptr : list.texts.data();
  args.sharding_sizes = none ? nullptr : list.sizes.data();
}
void parameter_shardings(ShardingsArgs& args) { tell(args.executable->argument_shardings(), args); }
void output_shardings(ShardingsArgs& args) { tell(args.executable->result_shardings(), args); }

}  // namespace

abi::Extension* extensions() {
  // The last null pointer ends the list of extensions, which is linked through `next`.
  static ShardingsExtension shardings{{sizeof(ShardingsExtension), kShardings, nullptr},
                                      &Entry<parameter_shardings>::call,
                                      &Entry<output_shardings>::call};
  return profiler_extension(memory_descriptions_extension(layouts_extension(&shardings.base)));
}

}  // namespace understudy::pjrt
