// SPDX-License-Identifier: Apache-2.0
// Topologies with and without a pod, and compilation for them.
#include "pjrt/core/topology.h"

#include <string>
#include <utility>

#include "configs/base/digest.h"
#include "configs/base/error.h"
#include "pjrt/abi/struct_array.h"
#include "pjrt/abi/topology.h"
#include "pjrt/api/entry.h"
#include "pjrt/core/client.h"
#include "pjrt/core/compile/executable.h"
#include "pjrt/core/compile/remote_partitioner.h"
#include "pjrt/core/compile/serialized_bytes.h"
#include "program/executable/numerics.h"
#include "worker/hbm/capacity.h"

namespace understudy::pjrt {
namespace {

constexpr const char* kSerialized = "a serialized topology";

// The options of libtpu that make sense here. Others are refused in its words: ignored, they would
// give another topology than the one that was asked for.
std::int64_t slices_in(const abi::TopologyDescriptionCreateArgs& args) {
  std::int64_t slices = 1;
  const abi::NamedValue* option = args.create_options;
  for (std::size_t i = 0; i < args.num_options; ++i, option = abi::next_struct(option)) {
    const std::string name(option->name, option->name_size);
    if (name != "num_slices" || option->type != abi::kInt64)
      throw Refusal(abi::kInvalidArgument,
                    "Unexpected arguments: " + name + "; expected num_slices, a whole number");
    slices = option->int64_value;
  }
  return slices;
}

void create(abi::TopologyDescriptionCreateArgs& args) {
  args.topology =
      TopologyDescription::named({args.topology_name, args.topology_name_size}, slices_in(args))
          .release();
}
void destroy(abi::TopologyDescriptionDestroyArgs& args) { delete args.topology; }
void platform_name(abi::TopologyDescriptionPlatformNameArgs& args) {
  give_text(args.topology->platform_name(), args.platform_name, args.platform_name_size);
}
void platform_version(abi::TopologyDescriptionPlatformVersionArgs& args) {
  give_text(args.topology->platform_version(), args.platform_version, args.platform_version_size);
}
void device_descriptions(abi::TopologyDescriptionGetDeviceDescriptionsArgs& args) {
  args.descriptions = args.topology->handles().data();
  args.num_descriptions = args.topology->handles().size();
}
// The same bytes for the same slices: they are a part of the keys of compile caches. What only
// concerns one launch (folders, addresses, profile) is left out.
std::string serialized_form(const TopologyDescription& topology) {
  const configs::LaunchInputs& inputs = topology.inputs();
  configs::LaunchInputs told;
  told.slice = inputs.slice;
  told.accelerator_type = inputs.accelerator_type;
  told.chip = inputs.chip;
  told.chip_digest = inputs.chip_digest;
  told.ndims = inputs.ndims;
  told.shape = inputs.shape;
  told.wraps = inputs.wraps;
  told.host_shape = inputs.host_shape;
  for (std::int64_t host = 0; host < inputs.hosts(); ++host)
    told.host_names.push_back("host-" + std::to_string(host));
  told.chips = inputs.chips;
  told.slices = inputs.slices;
  told.coordinator = told.host_names.front();
  return configs::to_json(told);
}
void serialize_topology(abi::TopologyDescriptionSerializeArgs& args) {
  give_bytes(serialized_form(*args.topology), args.serialized_bytes, args.serialized_bytes_size,
             args.serialized_topology, args.serialized_topology_deleter);
}
// The bytes are checked like any document: an error names the key that is wrong.
void deserialize_topology(abi::TopologyDescriptionDeserializeArgs& args) {
  args.topology = new TopologyDescription(configs::read_launch_inputs(
      {args.serialized_topology, args.serialized_topology_size}, kSerialized));
}
// Half of the digest of the serialized form: the same in every process for the same slices.
void fingerprint(abi::TopologyDescriptionFingerprintArgs& args) {
  const std::string digest = digest_of(serialized_form(*args.topology)).substr(0, 16);
  args.fingerprint = std::stoull(digest, nullptr, 16);
}
void attributes(abi::TopologyDescriptionAttributesArgs& args) {
  args.attributes = args.topology->attributes().data();
  args.num_attributes = args.topology->attributes().size();
}
void of_client(abi::ClientTopologyDescriptionArgs& args) {
  args.topology = args.client->topology().get();
}

// Ahead of time: no chip and no pod takes part.
void compile(abi::CompileArgs& args) {
  const abi::Program& program = *args.program;
  const std::string numerics = environment_value("UNDERSTUDY_NUMERICS");
  // Outside of a run the folder is empty, and only programs that need the partitioner are refused.
  RemotePartitioner partitioner(environment_value("UNDERSTUDY_RUN_FOLDER"), 0);
  CompiledRef compiled =
      compile_program({program.code, program.code_size}, {program.format, program.format_size},
                      read_compile_options({args.compile_options, args.compile_options_size}),
                      program::numerics_named(numerics.empty() ? "tpu" : numerics), partitioner);
  const std::uint64_t there = args.topology->hbm_bytes();
  if (compiled->hbm_bytes > there)
    throw worker::out_of_hbm(compiled->hbm_bytes, there).note("program " + compiled->name);
  args.executable = new Executable(std::move(compiled));
}

}  // namespace

void add_topology(abi::Api& api) {
  using enum abi::Slot;
  set<create>(api, TopologyDescription_Create);
  set<destroy>(api, TopologyDescription_Destroy);
  set<platform_name>(api, TopologyDescription_PlatformName);
  set<platform_version>(api, TopologyDescription_PlatformVersion);
  set<device_descriptions>(api, TopologyDescription_GetDeviceDescriptions);
  set<serialize_topology>(api, TopologyDescription_Serialize);
  set<deserialize_topology>(api, TopologyDescription_Deserialize);
  set<fingerprint>(api, TopologyDescription_Fingerprint);
  set<attributes>(api, TopologyDescription_Attributes);
  set<of_client>(api, Client_TopologyDescription);
  set<compile>(api, Compile);
}

}  // namespace understudy::pjrt
