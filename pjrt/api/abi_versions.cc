// SPDX-License-Identifier: Apache-2.0
// Extension AbiVersion of the C API: whether a runtime can load an executable that was compiled
// elsewhere. Only the build that compiled one loads it, so the version of both is platform and
// build.
#include <memory>
#include <string>

#include "pjrt/abi/types.h"
#include "pjrt/api/entry.h"
#include "pjrt/core/compiled.h"
#include "pjrt/core/proto.h"
#include "pjrt/core/serialized_bytes.h"
#include "pjrt/core/topology.h"

namespace understudy::pjrt {
namespace {

constexpr int kAbiVersion = 20;  // PJRT_Extension_Type

struct AbiVersion {
  std::uint64_t platform_id = 0;
  std::string build;
};

// The structs of pjrt_c_api_abi_version_extension.h, without the pointer extension_start. Those of
// runtimes and executables have the same layout.
struct OfArgs {
  std::size_t struct_size;
  void* owner;  // a client or an executable
  AbiVersion* abi_version;
};
UNDERSTUDY_PJRT_SIZE(OfArgs, abi_version, 24);
struct DestroyArgs {
  std::size_t struct_size;
  AbiVersion* abi_version;
};
UNDERSTUDY_PJRT_SIZE(DestroyArgs, abi_version, 16);
struct CompareArgs {
  std::size_t struct_size;
  const AbiVersion* abi_version;
  const AbiVersion* other;
};
UNDERSTUDY_PJRT_SIZE(CompareArgs, other, 24);
struct ToProtoArgs {
  std::size_t struct_size;
  const AbiVersion* abi_version;
  const char* serialized_proto;
  std::size_t serialized_proto_size;
  SerializedBytes* serialized_proto_holder;
  void (*serialized_proto_deleter)(SerializedBytes* bytes);
};
UNDERSTUDY_PJRT_SIZE(ToProtoArgs, serialized_proto_deleter, 48);
struct PlatformArgs {
  std::size_t struct_size;
  const AbiVersion* abi_version;
  std::uint64_t platform_id;
};
UNDERSTUDY_PJRT_SIZE(PlatformArgs, platform_id, 24);
struct FromProtoArgs {
  std::size_t struct_size;
  const char* serialized_proto;
  std::size_t serialized_proto_size;
  AbiVersion* abi_version;
};
UNDERSTUDY_PJRT_SIZE(FromProtoArgs, abi_version, 32);

enum Field : std::uint32_t { kPlatform = 1, kBuild = 2 };

// FNV-1a of the platform's name.
std::uint64_t platform_number() {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char letter : chosen_platform())
    hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3;
  return hash;
}

// An executable in memory was compiled by this build, or deserialize() would have refused it.
void version_of(OfArgs& args) {
  args.abi_version = new AbiVersion{platform_number(), executable_build()};
}
void destroy(DestroyArgs& args) { delete args.abi_version; }
void compare(CompareArgs& args) {
  if (args.abi_version->build != args.other->build)
    throw Refusal(abi::kFailedPrecondition, "this runtime is understudy " +
                                                args.abi_version->build + ", the other one is " +
                                                args.other->build +
                                                ": executables are loaded by the build that made "
                                                "them");
}
void to_proto(ToProtoArgs& args) {
  ProtoWriter out;
  out.number(kPlatform, args.abi_version->platform_id);
  out.bytes(kBuild, args.abi_version->build);
  args.serialized_proto_holder = new SerializedBytes{out.take()};
  args.serialized_proto = args.serialized_proto_holder->bytes.data();
  args.serialized_proto_size = args.serialized_proto_holder->bytes.size();
  args.serialized_proto_deleter = &SerializedBytes::destroy;
}
void platform_id(PlatformArgs& args) { args.platform_id = args.abi_version->platform_id; }
void from_proto(FromProtoArgs& args) {
  auto version = std::make_unique<AbiVersion>();
  for (const ProtoField& field :
       proto_fields({args.serialized_proto, args.serialized_proto_size})) {
    if (field.number == kPlatform) version->platform_id = field.value;
    if (field.number == kBuild) version->build = field.bytes;
  }
  args.abi_version = version.release();
}

struct AbiVersionExtension {
  abi::Extension base;
  abi::Function of_client, of_executable, destroy_runtime, with_runtime, with_executable,
      runtime_to_proto, runtime_platform, destroy_executable, executable_to_proto,
      executable_platform, runtime_from_proto, executable_from_proto;
};
static_assert(sizeof(AbiVersionExtension) == 120);

}  // namespace

abi::Extension* abi_version_extension(abi::Extension* next) {
  static AbiVersionExtension versions{{sizeof(AbiVersionExtension), kAbiVersion, next},
                                      &Entry<version_of>::call,
                                      &Entry<version_of>::call,
                                      &Entry<destroy>::call,
                                      &Entry<compare>::call,
                                      &Entry<compare>::call,
                                      &Entry<to_proto>::call,
                                      &Entry<platform_id>::call,
                                      &Entry<destroy>::call,
                                      &Entry<to_proto>::call,
                                      &Entry<platform_id>::call,
                                      &Entry<from_proto>::call,
                                      &Entry<from_proto>::call};
  return &versions.base;
}

}  // namespace understudy::pjrt
