// SPDX-License-Identifier: Apache-2.0
#include "pjrt/client/requests.h"

#include <algorithm>
#include <charconv>
#include <memory>
#include <set>

#include "configs/base/deadline.h"
#include "configs/base/error.h"
#include "pjrt/abi/device.h"
#include "pjrt/abi/topology.h"
#include "pjrt/core/compile/compile_options.h"
#include "pjrt/core/compile/proto.h"
#include "pjrt/core/named_values.h"

namespace understudy::pjrt {
namespace {

using configs::CompilerAnswer;
using configs::CompilerRequest;
using enum abi::Slot;

// A topology of the library for as long as this lives.
class Topology {
 public:
  Topology(const Library& library, const CompilerRequest& request) : library_(library) {
    if (!request.chips_per_host.empty())
      options_.add("chips_per_host_bounds", request.chips_per_host);
    if (request.slices > 1) options_.add("num_slices", request.slices);
    Call<abi::TopologyDescriptionCreateArgs> call;
    call->topology_name = request.topology.data();
    call->topology_name_size = request.topology.size();
    call->create_options = options_.data();
    call->num_options = options_.size();
    // A name that the library does not know is refused here, in its words.
    library_.call(TopologyDescription_Create, call);
    handle_ = call->topology;
  }
  ~Topology() {
    Call<abi::TopologyDescriptionDestroyArgs> call;
    call->topology = handle_;
    library_.try_call(TopologyDescription_Destroy, call);
  }
  Topology(const Topology&) = delete;
  Topology& operator=(const Topology&) = delete;
  TopologyDescription* handle() const { return handle_; }

 private:
  const Library& library_;
  NamedValues options_;
  TopologyDescription* handle_ = nullptr;
};

// nullopt as well where the text is no number: attributes differ between versions of the library.
std::optional<std::int64_t> number_in(const std::map<std::string, std::string>& texts,
                                      const std::string& name) {
  const auto found = texts.find(name);
  if (found == texts.end()) return std::nullopt;
  std::int64_t value = 0;
  const std::string& text = found->second;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  return parsed.ec == std::errc{} ? std::optional(value) : std::nullopt;
}

std::vector<std::int64_t> list_in(const std::map<std::string, std::string>& texts,
                                  const std::string& name) {
  std::vector<std::int64_t> values;
  const auto found = texts.find(name);
  if (found == texts.end()) return values;
  const char* at = found->second.data();
  const char* end = at + found->second.size();
  for (std::int64_t value = 0; at < end; ++at) {
    const auto parsed = std::from_chars(at, end, value);
    if (parsed.ec != std::errc{}) break;
    values.push_back(value);
    at = parsed.ptr;
  }
  return values;
}

configs::CompilerDevice device_of(const Library& library, DeviceDescription* description) {
  configs::CompilerDevice device;
  Call<abi::DeviceDescriptionIdArgs> id;
  id->device_description = description;
  library.call(DeviceDescription_Id, id);
  device.id = id->id;
  Call<abi::DeviceDescriptionProcessIndexArgs> process;
  process->device_description = description;
  library.call(DeviceDescription_ProcessIndex, process);
  device.process = process->process_index;
  Call<abi::DeviceDescriptionKindArgs> kind;
  kind->device_description = description;
  library.call(DeviceDescription_Kind, kind);
  device.kind.assign(kind->device_kind, kind->device_kind_size);
  Call<abi::DeviceDescriptionAttributesArgs> attributes;
  attributes->device_description = description;
  library.call(DeviceDescription_Attributes, attributes);
  const auto texts = texts_of(attributes->attributes, attributes->num_attributes);
  device.coords = list_in(texts, "coords");
  // A chip with two cores shows each as a device of its own; others may leave the attribute out.
  device.core = number_in(texts, "core_on_chip").value_or(0);
  device.slice = number_in(texts, "slice_index");
  device.memory_bytes = number_in(texts, "device_memory_bytes_limit");
  return device;
}

std::vector<configs::CompilerDevice> devices_of(const Library& library, const Topology& topology) {
  Call<abi::TopologyDescriptionGetDeviceDescriptionsArgs> call;
  call->topology = topology.handle();
  library.call(TopologyDescription_GetDeviceDescriptions, call);
  std::vector<configs::CompilerDevice> devices;
  for (std::size_t i = 0; i < call->num_descriptions; ++i)
    devices.push_back(device_of(library, call->descriptions[i]));
  return devices;
}

void add_platform(const Library& library, const Topology& topology, CompilerAnswer& answer) {
  Call<abi::TopologyDescriptionPlatformNameArgs> name;
  name->topology = topology.handle();
  if (library.try_call(TopologyDescription_PlatformName, name))
    answer.platform.assign(name->platform_name, name->platform_name_size);
  Call<abi::TopologyDescriptionPlatformVersionArgs> version;
  version->topology = topology.handle();
  if (library.try_call(TopologyDescription_PlatformVersion, version))
    answer.version.assign(version->platform_version, version->platform_version_size);
}

void describe(const Library& library, const Topology& topology, CompilerAnswer& answer) {
  answer.devices = devices_of(library, topology);
  Call<abi::TopologyDescriptionAttributesArgs> call;
  call->topology = topology.handle();
  if (library.try_call(TopologyDescription_Attributes, call))
    answer.attributes = texts_of(call->attributes, call->num_attributes);
}

// The library aborts the process where a program with collectives names a device that the topology
// does not have.
void check_devices(const Library& library, const Topology& topology,
                   const CompilerRequest& request) {
  std::set<std::int64_t> known;
  for (const configs::CompilerDevice& device : devices_of(library, topology))
    known.insert(device.id);
  for (const std::int64_t id : request.devices)
    if (!known.contains(id))
      throw LibraryRefusal{
          {abi::kOk, "the topology " + request.topology + " has no device " + std::to_string(id)}};
  // Checked here as well: the library's own message about a wrong count names internal terms only.
  const std::set<std::int64_t> distinct(request.devices.begin(), request.devices.end());
  const auto wanted = static_cast<std::size_t>(request.replicas * request.partitions);
  if (distinct.size() != wanted || request.devices.size() != wanted)
    throw LibraryRefusal{{abi::kOk, "the program needs " + std::to_string(wanted) +
                                        " different devices, but " +
                                        std::to_string(distinct.size()) + " were given"}};
}

void compile(const Library& library, const Topology& topology, const CompilerRequest& request,
             std::string_view body, Answered& out) {
  check_devices(library, topology, request);
  std::string code(body);
  abi::Program program{};
  program.struct_size = sizeof program;
  program.code = code.data();
  program.code_size = code.size();
  program.format = request.format.data();
  program.format_size = request.format.size();
  const std::string options = compile_options_of(request);
  Call<abi::CompileArgs> call;
  call->topology = topology.handle();
  call->program = &program;
  call->compile_options = options.data();
  call->compile_options_size = options.size();
  // Only the compile itself: the time to read the answer back is ours.
  const Clock::time_point begin = Clock::now();
  library.call(abi::Slot::Compile, call);
  out.answer.seconds = seconds_since(begin);
  read_back(library, call->executable, out);
}

}  // namespace

Answered answer_to(const Library& library, const CompilerRequest& request, std::string_view body) {
  Answered out;
  out.answer.command = request.command;
  for (const abi::Slot slot : useful_functions())
    if (!library.has(slot)) out.answer.missing.emplace_back(name_of(slot));
  // For a refusal: how long the library took to refuse, including the making of the topology.
  const Clock::time_point begin = Clock::now();
  try {
    const Topology topology(library, request);
    add_platform(library, topology, out.answer);
    if (request.command == "compile")
      compile(library, topology, request, body, out);
    else
      describe(library, topology, out.answer);
  } catch (const LibraryRefusal& refusal) {
    out.answer.error = refusal.error;
    out.answer.seconds = seconds_since(begin);
  }
  return out;
}

// CompileOptionsProto: executable_build_options = 3, env_option_overrides = 7 (key = 1, value = 2:
// string_field = 1). ExecutableBuildOptions: device_ordinal = 1, num_replicas = 4, num_partitions =
// 5, use_spmd_partitioning = 6, device_assignment = 9, allow_spmd_sharding_propagation_to_output =
// 12, ..._to_parameters = 18, use_shardy_partitioner = 19.
std::string compile_options_of(const CompilerRequest& request) {
  constexpr std::uint32_t kBuild = 3, kOverrides = 7;
  CompileOptions assignment;
  assignment.replicas = request.replicas;
  assignment.partitions = request.partitions;
  assignment.devices = request.devices;
  const auto numbers = [](const std::vector<bool>& flags) {
    return std::vector<std::int64_t>(flags.begin(), flags.end());
  };
  ProtoWriter build;
  build.number(1, ~std::uint64_t{0});  // -1: no device
  build.number(4, static_cast<std::uint64_t>(request.replicas));
  build.number(5, static_cast<std::uint64_t>(request.partitions));
  build.number(6, 1);  // also for one partition, as JAX: the layouts of Shardy programs need it
  build.bytes(9, device_assignment_proto(assignment));
  if (!request.propagate_to_output.empty()) build.packed(12, numbers(request.propagate_to_output));
  if (!request.propagate_to_parameters.empty())
    build.packed(18, numbers(request.propagate_to_parameters));
  build.number(19, request.shardy ? 1 : 0);
  ProtoWriter out;
  out.bytes(kBuild, build.take());
  for (const auto& [name, value] : request.options) {
    ProtoWriter text, entry;
    text.bytes(1, value);
    entry.bytes(1, name);
    entry.bytes(2, text.take());
    out.bytes(kOverrides, entry.take());
  }
  return out.take();
}

}  // namespace understudy::pjrt
