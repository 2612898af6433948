// SPDX-License-Identifier: Apache-2.0
// A library of a few functions of the PJRT C API that stands for libtpu in tests. What it does
// wrong is asked for by words in the program ("refuse-me", "abort-me", "sleep-me", "exit-me",
// "eat-memory") and by the variable UNDERSTUDY_FAKE_LIBTPU: "initialise-sleeps",
// "initialise-aborts", "lacks-compile", "lacks-memory", "understudy". UNDERSTUDY_FAKE_HLO names
// the HLO proto that it returns as the scheduled program.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

#include "pjrt/abi/device.h"
#include "pjrt/abi/executable.h"
#include "pjrt/abi/plugin.h"
#include "pjrt/abi/topology.h"

namespace understudy::pjrt {

struct ErrorHandle {
  abi::ErrorCode code;
  std::string message;
};

class DeviceDescription {
 public:
  int id = 0, process = 0;
  std::array<std::int64_t, 3> coords{};
  std::array<abi::NamedValue, 2> attributes{};
};

class TopologyDescription {
 public:
  std::vector<DeviceDescription> devices;
  std::vector<DeviceDescription*> pointers;
};

class Executable {
 public:
  std::string scheduled;  // HloModuleProtoWithConfig
};

namespace {

using enum abi::Slot;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}
bool fault(const char* name) { return variable("UNDERSTUDY_FAKE_LIBTPU") == name; }

[[noreturn]] void sleep_for_ever() {
  for (;;) ::pause();
}

ErrorHandle* refuse(abi::ErrorCode code, std::string message) {
  return new ErrorHandle{code, std::move(message)};
}

ErrorHandle* error_destroy(abi::ErrorDestroyArgs& args) {
  delete args.error;
  return nullptr;
}
ErrorHandle* error_message(abi::ErrorMessageArgs& args) {
  args.message = args.error->message.data();
  args.message_size = args.error->message.size();
  return nullptr;
}
ErrorHandle* error_code(abi::ErrorGetCodeArgs& args) {
  args.code = args.error->code;
  return nullptr;
}

// As libtpu: a flag that it does not know ends the process.
ErrorHandle* initialise(abi::PluginInitializeArgs& /*args*/) {
  if (fault("initialise-sleeps")) sleep_for_ever();
  if (fault("initialise-aborts")) {
    std::fputs("F1123 09:23:44.500826    4747 tpu.cc:7] Check failed: the chip is on fire\n",
               stderr);
    std::abort();
  }
  std::istringstream flags(variable("LIBTPU_INIT_ARGS"));
  for (std::string flag; flags >> flag;)
    if (!flag.starts_with("--xla_tpu_good")) {
      std::fprintf(stderr, "ERROR: Unknown command line flag '%s'. Did you mean: xla_tpu_good ?\n",
                   flag.c_str());
      std::exit(1);
    }
  return nullptr;
}

abi::NamedValue named(const char* name, abi::ValueType type, std::size_t size) {
  abi::NamedValue value{};
  value.struct_size = sizeof value;
  value.name = name;
  value.name_size = std::strlen(name);
  value.type = type;
  value.value_size = size;
  return value;
}

ErrorHandle* attributes(abi::PluginAttributesArgs& args) {
  static abi::NamedValue value = named("understudy_version", abi::kString, 3);
  value.string_value = "0.1";
  args.attributes = &value;
  args.num_attributes = fault("understudy") ? 1 : 0;
  return nullptr;
}

std::array<int, 3> shape_of(const std::string& name) {
  std::array<int, 3> shape{1, 1, 1};
  std::sscanf(name.c_str() + name.find(':') + 1, "%dx%dx%d", &shape[0], &shape[1], &shape[2]);
  return shape;
}

ErrorHandle* topology_create(abi::TopologyDescriptionCreateArgs& args) {
  const std::string name(args.topology_name, args.topology_name_size);
  if (!name.starts_with("v"))
    return refuse(abi::kInvalidArgument, "Invalid TPU external name: " + name);
  const std::array<int, 3> shape = shape_of(name);
  std::array<int, 3> host{2, 2, 1};
  for (std::size_t i = 0; i < args.num_options; ++i) {
    const abi::NamedValue& option = args.create_options[i];
    if (std::string(option.name, option.name_size) == "chips_per_host_bounds")
      for (std::size_t axis = 0; axis < 3; ++axis)
        host[axis] = static_cast<int>(option.int64_array_value[axis]);
  }
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (shape[axis] % host[axis] != 0)
      return refuse(abi::kInvalidArgument, "Topology layout \"" + name + "\" is not divisible");
  auto topology = std::make_unique<TopologyDescription>();
  for (int y = 0; y < shape[1]; ++y)
    for (int x = 0; x < shape[0]; ++x) {
      DeviceDescription& device = topology->devices.emplace_back();
      device.id = y * shape[0] + x;
      device.process = y / host[1] * (shape[0] / host[0]) + x / host[0];
      device.coords = {x, y, 0};
    }
  for (DeviceDescription& device : topology->devices) topology->pointers.push_back(&device);
  args.topology = topology.release();
  return nullptr;
}
ErrorHandle* topology_destroy(abi::TopologyDescriptionDestroyArgs& args) {
  delete args.topology;
  return nullptr;
}
ErrorHandle* topology_version(abi::TopologyDescriptionPlatformVersionArgs& args) {
  args.platform_version = "fake\nbuilt today";
  args.platform_version_size = std::strlen(args.platform_version);
  return nullptr;
}
ErrorHandle* topology_devices(abi::TopologyDescriptionGetDeviceDescriptionsArgs& args) {
  args.descriptions = args.topology->pointers.data();
  args.num_descriptions = args.topology->pointers.size();
  return nullptr;
}

ErrorHandle* device_id(abi::DeviceDescriptionIdArgs& args) {
  args.id = args.device_description->id;
  return nullptr;
}
ErrorHandle* device_process(abi::DeviceDescriptionProcessIndexArgs& args) {
  args.process_index = args.device_description->process;
  return nullptr;
}
ErrorHandle* device_kind(abi::DeviceDescriptionKindArgs& args) {
  args.device_kind = "TPU v6 lite";
  args.device_kind_size = std::strlen(args.device_kind);
  return nullptr;
}
ErrorHandle* device_attributes(abi::DeviceDescriptionAttributesArgs& args) {
  DeviceDescription& device = *args.device_description;
  device.attributes[0] = named("coords", abi::kInt64List, 3);
  device.attributes[0].int64_array_value = device.coords.data();
  device.attributes[1] = named("device_memory_bytes_limit", abi::kInt64, 1);
  device.attributes[1].int64_value = std::int64_t{31} << 30;
  args.attributes = device.attributes.data();
  args.num_attributes = device.attributes.size();
  return nullptr;
}

// Field 1 of HloModuleProtoWithConfig, with its length as a varint.
std::string wrapped(const std::string& module) {
  std::string out = "\x0A";
  std::size_t size = module.size();
  for (; size >= 0x80; size >>= 7U) out.push_back(static_cast<char>(size | 0x80U));
  out.push_back(static_cast<char>(size));
  return out + module;
}

ErrorHandle* compile(abi::CompileArgs& args) {
  const std::string program(args.program->code, args.program->code_size);
  const std::string options(args.compile_options, args.compile_options_size);
  const auto says = [&](const char* word) { return program.find(word) != std::string::npos; };
  if (options.find("xla_tpu_bogus") != std::string::npos)
    return refuse(abi::kInvalidArgument, "No such compile option: 'xla_tpu_bogus'");
  if (says("refuse-me"))
    return refuse(abi::kResourceExhausted, "Ran out of memory on HBM, -:2:3 is to blame.");
  if (says("sleep-me")) sleep_for_ever();
  if (says("abort-me")) {
    std::fputs("a log line\n    @ 0x7f78f86d0cf6  Thread::ThreadBody()\n", stderr);
    std::abort();
  }
  if (says("exit-me")) std::exit(3);
  if (says("eat-memory")) {
    std::vector<char> much(std::size_t{256} << 20, 'x');
    sleep_for_ever();
  }
  auto compiled = std::make_unique<Executable>();
  std::ifstream file(variable("UNDERSTUDY_FAKE_HLO"), std::ios::binary);
  const std::string module((std::istreambuf_iterator<char>(file)), {});
  if (!module.empty()) compiled->scheduled = wrapped(module);
  args.executable = compiled.release();
  return nullptr;
}
ErrorHandle* executable_destroy(abi::ExecutableDestroyArgs& args) {
  delete args.executable;
  return nullptr;
}
ErrorHandle* memory(abi::ExecutableGetCompiledMemoryStatsArgs& args) {
  args.argument_size_in_bytes = 4096;
  args.output_size_in_bytes = 2048;
  args.alias_size_in_bytes = 1024;
  args.temp_size_in_bytes = 512;
  args.generated_code_size_in_bytes = 256;
  return nullptr;
}
ErrorHandle* optimized(abi::ExecutableOptimizedProgramArgs& args) {
  const std::string& bytes = args.executable->scheduled;
  args.program->format = "hlo_with_config";
  args.program->format_size = std::strlen(args.program->format);
  if (args.program->code != nullptr) std::memcpy(args.program->code, bytes.data(), bytes.size());
  args.program->code_size = bytes.size();
  return nullptr;
}
ErrorHandle* fingerprint(abi::ExecutableFingerprintArgs& args) {
  args.executable_fingerprint = "\x01\x02\xff";
  args.executable_fingerprint_size = 3;
  return nullptr;
}

template <auto kFunction>
struct Entry;
template <class Args, ErrorHandle* (*kFunction)(Args&)>
struct Entry<kFunction> {
  static ErrorHandle* call(void* args) { return kFunction(*static_cast<Args*>(args)); }
};
template <auto kFunction>
void set(abi::Api& api, abi::Slot slot) {
  api.functions[static_cast<std::size_t>(slot)] = &Entry<kFunction>::call;
}

abi::Api made() {
  abi::Api api{};
  api.struct_size = sizeof api;
  api.version.major_version = abi::kMajor;
  api.version.minor_version = abi::kMinor;
  set<error_destroy>(api, Error_Destroy);
  set<error_message>(api, Error_Message);
  set<error_code>(api, Error_GetCode);
  set<initialise>(api, Plugin_Initialize);
  set<attributes>(api, Plugin_Attributes);
  set<topology_create>(api, TopologyDescription_Create);
  set<topology_destroy>(api, TopologyDescription_Destroy);
  set<topology_version>(api, TopologyDescription_PlatformVersion);
  set<topology_devices>(api, TopologyDescription_GetDeviceDescriptions);
  set<device_id>(api, DeviceDescription_Id);
  set<device_process>(api, DeviceDescription_ProcessIndex);
  set<device_kind>(api, DeviceDescription_Kind);
  set<device_attributes>(api, DeviceDescription_Attributes);
  if (!fault("lacks-compile")) set<compile>(api, Compile);
  set<executable_destroy>(api, Executable_Destroy);
  if (!fault("lacks-memory")) set<memory>(api, Executable_GetCompiledMemoryStats);
  set<optimized>(api, Executable_OptimizedProgram);
  set<fingerprint>(api, Executable_Fingerprint);
  return api;
}

}  // namespace
}  // namespace understudy::pjrt

extern "C" __attribute__((visibility("default"))) const understudy::pjrt::abi::Api* GetPjrtApi() {
  static const understudy::pjrt::abi::Api kApi = understudy::pjrt::made();
  return &kApi;
}
