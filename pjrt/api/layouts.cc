// SPDX-License-Identifier: Apache-2.0
// Extension Layouts of the C API: which layout arrays have, and which one programs expect and
// make. Layouts that the caller asks for are its own and go back to `destroy`; those of a program
// live as long as the program.
#include <vector>

#include "pjrt/abi/types.h"
#include "pjrt/api/entry.h"
#include "pjrt/core/compile/executable.h"
#include "pjrt/core/compile/serialized_bytes.h"
#include "pjrt/core/memory/array_layout.h"
#include "pjrt/core/memory/buffer.h"

namespace understudy::pjrt {
namespace {

constexpr int kLayouts = 4;  // PJRT_Extension_Type

// The structs of pjrt_c_api_layouts_extension.h.
struct DestroyArgs {
  std::size_t struct_size;
  void* extension_start;
  ArrayLayout* layout;
};
UNDERSTUDY_PJRT_SIZE(DestroyArgs, layout, 24);
struct SerializeArgs {
  std::size_t struct_size;
  void* extension_start;
  const ArrayLayout* layout;
  const char* serialized_bytes;
  std::size_t serialized_bytes_size;
  SerializedBytes* serialized_layout;
  void (*serialized_layout_deleter)(SerializedBytes* bytes);
};
UNDERSTUDY_PJRT_SIZE(SerializeArgs, serialized_layout_deleter, 56);
struct DefaultArgs {  // of a client, and of a topology
  std::size_t struct_size;
  void* extension_start;
  void* owner;
  abi::BufferType type;
  const std::int64_t* dims;
  std::size_t num_dims;
  ArrayLayout* layout;
};
UNDERSTUDY_PJRT_SIZE(DefaultArgs, layout, 56);
struct BufferArgs {
  std::size_t struct_size;
  void* extension_start;
  Buffer* buffer;
  ArrayLayout* layout;
};
UNDERSTUDY_PJRT_SIZE(BufferArgs, layout, 32);
struct ExecutableArgs {  // of parameters, and of results
  std::size_t struct_size;
  void* extension_start;
  Executable* executable;
  std::size_t num;
  const ArrayLayout* const* layouts;
};
UNDERSTUDY_PJRT_SIZE(ExecutableArgs, layouts, 40);

void destroy(DestroyArgs& args) { delete args.layout; }
void serialize_layout(SerializeArgs& args) {
  give_bytes(args.layout->text(), args.serialized_bytes, args.serialized_bytes_size,
             args.serialized_layout, args.serialized_layout_deleter);
}
void default_layout(DefaultArgs& args) {
  args.layout = new ArrayLayout(ArrayLayout::row_major(args.num_dims));
}
void buffer_layout(BufferArgs& args) {
  const LayoutRef& layout = args.buffer->layout();
  args.layout = new ArrayLayout(
      layout == nullptr ? ArrayLayout::row_major(args.buffer->type().shape.size()) : *layout);
}
void tell(const std::vector<const ArrayLayout*>& layouts, ExecutableArgs& args) {
  args.num = layouts.size();
  args.layouts = layouts.data();
}
void output_layouts(ExecutableArgs& args) { tell(args.executable->result_layouts(), args); }
void parameter_layouts(ExecutableArgs& args) { tell(args.executable->argument_layouts(), args); }

struct LayoutsExtension {
  abi::Extension base;
  abi::Function destroy, serialize, client_default, buffer, topology_default, outputs, parameters;
};
static_assert(sizeof(LayoutsExtension) == 80);

}  // namespace

abi::Extension* layouts_extension(abi::Extension* next) {
  static LayoutsExtension layouts{{sizeof(LayoutsExtension), kLayouts, next},
                                  &Entry<destroy>::call,
                                  &Entry<serialize_layout>::call,
                                  &Entry<default_layout>::call,
                                  &Entry<buffer_layout>::call,
                                  &Entry<default_layout>::call,
                                  &Entry<output_layouts>::call,
                                  &Entry<parameter_layouts>::call};
  return &layouts.base;
}

}  // namespace understudy::pjrt
