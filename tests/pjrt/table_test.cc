// SPDX-License-Identifier: Apache-2.0
// The plugin through its table, as a framework uses it, without a pod.
#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "pjrt/abi/client.h"
#include "pjrt/abi/device.h"
#include "pjrt/abi/executable.h"
#include "pjrt/abi/plugin.h"
#include "pjrt/abi/struct_array.h"
#include "pjrt/abi/topology.h"
#include "pjrt/core/launch_trace.h"

extern "C" const understudy::pjrt::abi::Api* GetPjrtApi();

namespace understudy::pjrt {
namespace {

using abi::Slot;
using testing::ElementsAre;
using testing::HasSubstr;

ErrorHandle* call(Slot slot, void* args) {
  return GetPjrtApi()->functions[static_cast<std::size_t>(slot)](args);
}

template <class Args>
Args args_of() {
  Args args{};
  args.struct_size = sizeof args;
  return args;
}

// Code and message of an error, which is destroyed.
std::pair<int, std::string> told(ErrorHandle* error) {
  if (error == nullptr) return {0, ""};
  auto code = args_of<abi::ErrorGetCodeArgs>();
  code.error = error;
  call(Slot::Error_GetCode, &code);
  auto message = args_of<abi::ErrorMessageArgs>();
  message.error = error;
  call(Slot::Error_Message, &message);
  std::pair<int, std::string> all = {code.code, std::string(message.message, message.message_size)};
  auto destroy = args_of<abi::ErrorDestroyArgs>();
  destroy.error = error;
  call(Slot::Error_Destroy, &destroy);
  return all;
}

TEST(PjrtTable, SaysItsVersionAndHasNoEmptySlot) {
  const abi::Api& api = *GetPjrtApi();
  EXPECT_EQ(api.struct_size, 1128U);
  EXPECT_EQ(api.version.major_version, 0);
  EXPECT_EQ(api.version.minor_version, 91);
  for (const abi::Function function : api.functions) EXPECT_NE(function, nullptr);
}

// JAX up to 0.9 ends the process where it traces and the profiler (1) is missing; compile-only
// devices have no memories there without their descriptions (6).
TEST(PjrtTable, HasTheExtensionsThatFrameworksNeed) {
  std::vector<std::pair<int, std::size_t>> seen;
  for (const auto* one = GetPjrtApi()->extension_start; one != nullptr; one = one->next)
    seen.emplace_back(one->type, one->struct_size);
  EXPECT_THAT(seen, testing::UnorderedElementsAre(std::pair(1, 40U), std::pair(4, 80U),
                                                  std::pair(6, 40U), std::pair(19, 40U)));
}

// The structs of profiler_c_api.h, as a caller has them.
struct Collect {
  std::size_t struct_size;
  void* profiler;
  std::uint8_t* buffer;
  std::size_t buffer_size_in_bytes;
};
struct ProfilerFunctions {
  std::size_t struct_size;
  void* priv;
  abi::Function error_destroy, error_message, error_get_code, create, destroy, start, stop,
      collect_data;
};

// Frameworks read the plugin's buffer after the first call; the header of the API speaks of a
// second one with a buffer of the caller's.
TEST(PjrtTable, GivesTheTraceInItsOwnBufferAndInTheCallers) {
  const auto* extension = GetPjrtApi()->extension_start;
  while (extension != nullptr && extension->type != 1) extension = extension->next;
  ASSERT_NE(extension, nullptr);
  const ProfilerFunctions* functions = nullptr;
  std::memcpy(&functions, extension + 1, sizeof functions);
  struct {
    std::size_t struct_size;
    const char* options;
    std::size_t options_size;
    void* profiler;
  } create{sizeof create, nullptr, 0, nullptr};
  ASSERT_EQ(functions->create(&create), nullptr);
  struct {
    std::size_t struct_size;
    void* profiler;
  } one{sizeof one, create.profiler};
  ASSERT_EQ(functions->start(&one), nullptr);
  LaunchTrace::of_process().add({0, "jit_step", 10, 20});
  ASSERT_EQ(functions->stop(&one), nullptr);
  Collect collect{sizeof collect, create.profiler, nullptr, 0};
  ASSERT_EQ(functions->collect_data(&collect), nullptr);
  const std::string first(reinterpret_cast<const char*>(collect.buffer),
                          collect.buffer_size_in_bytes);
  EXPECT_THAT(first, HasSubstr("jit_step"));
  std::vector<std::uint8_t> own(first.size());
  collect.buffer = own.data();
  ASSERT_EQ(functions->collect_data(&collect), nullptr);
  EXPECT_EQ(std::string(own.begin(), own.end()), first);
  ASSERT_EQ(functions->destroy(&one), nullptr);
}

TEST(PjrtTable, NamesAFunctionThatIsAbsent) {
  const auto [code, text] = told(call(Slot::Client_CreateViewOfDeviceBuffer, nullptr));
  EXPECT_EQ(code, abi::kUnimplemented);
  EXPECT_THAT(text, HasSubstr("PJRT_Client_CreateViewOfDeviceBuffer"));
}

// jaxlib asks each error for payloads where the table has the function, whatever version is
// declared, and asks the error of that call again: it must not fail.
TEST(PjrtTable, ErrorsHaveNoPayloads) {
  auto payloads = args_of<abi::ErrorForEachPayloadArgs>();
  payloads.error = call(Slot::Client_CreateViewOfDeviceBuffer, nullptr);
  ASSERT_NE(payloads.error, nullptr);
  EXPECT_EQ(call(Slot::Error_ForEachPayload, &payloads), nullptr);
  auto destroy = args_of<abi::ErrorDestroyArgs>();
  destroy.error = const_cast<ErrorHandle*>(payloads.error);
  call(Slot::Error_Destroy, &destroy);
}

TEST(PjrtTable, RefusesAClientOutsideOfAPod) {
  ::unsetenv("UNDERSTUDY_RUN_FOLDER");
  auto create = args_of<abi::ClientCreateArgs>();
  const auto [code, text] = told(call(Slot::Client_Create, &create));
  EXPECT_EQ(code, abi::kUnavailable);
  EXPECT_THAT(text, HasSubstr("understudy run --slice"));
}

TEST(PjrtTable, DescribesATopologyByName) {
  const std::string name = "v6e:4x4";
  auto create = args_of<abi::TopologyDescriptionCreateArgs>();
  create.topology_name = name.data();
  create.topology_name_size = name.size();
  ASSERT_EQ(told(call(Slot::TopologyDescription_Create, &create)).second, "");
  auto list = args_of<abi::TopologyDescriptionGetDeviceDescriptionsArgs>();
  list.topology = create.topology;
  ASSERT_EQ(call(Slot::TopologyDescription_GetDeviceDescriptions, &list), nullptr);
  ASSERT_EQ(list.num_descriptions, 16U);
  auto kind = args_of<abi::DeviceDescriptionKindArgs>();
  kind.device_description = list.descriptions[15];
  ASSERT_EQ(call(Slot::DeviceDescription_Kind, &kind), nullptr);
  EXPECT_EQ(std::string(kind.device_kind, kind.device_kind_size), "TPU v6 lite");
  auto attributes = args_of<abi::DeviceDescriptionAttributesArgs>();
  attributes.device_description = list.descriptions[15];
  ASSERT_EQ(call(Slot::DeviceDescription_Attributes, &attributes), nullptr);
  const abi::NamedValue& coords = attributes.attributes[0];
  EXPECT_EQ(std::string(coords.name, coords.name_size), "coords");
  const std::vector<std::int64_t> at(coords.int64_array_value,
                                     coords.int64_array_value + coords.value_size);
  EXPECT_THAT(at, ElementsAre(3, 3, 0));
  auto destroy = args_of<abi::TopologyDescriptionDestroyArgs>();
  destroy.topology = create.topology;
  call(Slot::TopologyDescription_Destroy, &destroy);
}

std::uint64_t fingerprint_of(const std::string& name) {
  auto create = args_of<abi::TopologyDescriptionCreateArgs>();
  create.topology_name = name.data();
  create.topology_name_size = name.size();
  EXPECT_EQ(told(call(Slot::TopologyDescription_Create, &create)).second, "");
  auto fingerprint = args_of<abi::TopologyDescriptionFingerprintArgs>();
  fingerprint.topology = create.topology;
  EXPECT_EQ(call(Slot::TopologyDescription_Fingerprint, &fingerprint), nullptr);
  auto destroy = args_of<abi::TopologyDescriptionDestroyArgs>();
  destroy.topology = create.topology;
  call(Slot::TopologyDescription_Destroy, &destroy);
  return fingerprint.fingerprint;
}

TEST(PjrtTable, FingerprintsTopologiesByTheirSlices) {
  EXPECT_EQ(fingerprint_of("v6e:4x4"), fingerprint_of("v6e-16"));
  EXPECT_NE(fingerprint_of("v6e:4x4"), fingerprint_of("v6e:2x4"));
  EXPECT_NE(fingerprint_of("v6e:2x4"), fingerprint_of("2xv6e-8"));
  EXPECT_NE(fingerprint_of("v6e:2x4"), fingerprint_of("v5e:2x4"));
}

// Compilation needs no chip: from text to the answers that frameworks ask for.
class AheadOfTime : public testing::Test {
 protected:
  void SetUp() override {
    auto create = args_of<abi::TopologyDescriptionCreateArgs>();
    create.topology_name = "v6e-4";
    create.topology_name_size = 5;
    ASSERT_EQ(told(call(Slot::TopologyDescription_Create, &create)).second, "");
    topology_ = create.topology;
  }
  void TearDown() override {
    auto destroy = args_of<abi::TopologyDescriptionDestroyArgs>();
    destroy.topology = topology_;
    call(Slot::TopologyDescription_Destroy, &destroy);
  }
  std::pair<int, std::string> compile(std::string text, const std::string& format = "mlir") {
    auto program = args_of<abi::Program>();
    program.code = text.data();
    program.code_size = text.size();
    program.format = format.data();
    program.format_size = format.size();
    auto args = args_of<abi::CompileArgs>();
    args.topology = topology_;
    args.program = &program;
    auto outcome = told(call(Slot::Compile, &args));
    executable_ = args.executable;
    return outcome;
  }
  TopologyDescription* topology_ = nullptr;
  Executable* executable_ = nullptr;
};

constexpr const char* kProduct = R"(module @jit_f {
  func.func public @main(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>) -> tensor<4x2xf32> {
    %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
        : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
    return %0 : tensor<4x2xf32>
  }
})";

TEST_F(AheadOfTime, TellsCostAndMemoryOfAProgram) {
  ASSERT_EQ(compile(kProduct).second, "");
  auto cost = args_of<abi::ExecutableGetCostAnalysisArgs>();
  cost.executable = executable_;
  ASSERT_EQ(call(Slot::Executable_GetCostAnalysis, &cost), nullptr);
  EXPECT_EQ(std::string(cost.properties[0].name, cost.properties[0].name_size), "flops");
  EXPECT_EQ(cost.properties[0].float_value, 2 * 4 * 8 * 2);
  // The struct of an old caller ends before `total_size`: its neighbour must not be written.
  struct {
    abi::ExecutableGetCompiledMemoryStatsArgs args;
    std::int64_t neighbour = 7;
  } old{args_of<abi::ExecutableGetCompiledMemoryStatsArgs>()};
  old.args.struct_size = 112;
  old.args.total_size_in_bytes = 7;
  old.args.executable = executable_;
  ASSERT_EQ(call(Slot::Executable_GetCompiledMemoryStats, &old.args), nullptr);
  EXPECT_EQ(old.args.argument_size_in_bytes, (4 * 8 + 8 * 2) * 4);
  EXPECT_EQ(old.args.output_size_in_bytes, 4 * 2 * 4);
  EXPECT_EQ(old.args.total_size_in_bytes, 7);
  EXPECT_EQ(old.neighbour, 7);
  auto destroy = args_of<abi::ExecutableDestroyArgs>();
  destroy.executable = executable_;
  call(Slot::Executable_Destroy, &destroy);
}

// Another build's array of structs: its steps are longer than our struct, and its size ends with
// the last field, without the padding.
TEST(PjrtTable, StepsThroughLongerStructsOfALaterVersion) {
  struct Later {
    abi::ShapeSpec spec;
    int more;
  };
  Later later[2] = {};
  for (Later& one : later) one.spec.struct_size = offsetof(Later, more) + sizeof one.more;
  EXPECT_EQ(abi::next_struct(&later[0].spec), &later[1].spec);
  abi::ShapeSpec now[2] = {};
  for (abi::ShapeSpec& one : now) one.struct_size = 36;
  EXPECT_EQ(abi::next_struct(&now[0]), &now[1]);
}

// The functions of the extension Layouts, in their order.
enum LayoutsFunction { kDestroy, kSerialize, kClient, kBuffer, kTopology, kResults, kParameters };

abi::Function layouts_function(LayoutsFunction which) {
  const abi::Extension* one = GetPjrtApi()->extension_start;
  while (one != nullptr && one->type != 4) one = one->next;
  if (one == nullptr) return nullptr;
  EXPECT_EQ(one->struct_size, 80U);
  return reinterpret_cast<const abi::Function*>(one + 1)[which];
}

// Words of the argument structs after the two common ones; results are written into them.
std::vector<void*> ask_layouts(LayoutsFunction which, std::vector<void*> words) {
  std::vector<void*> args = {nullptr, nullptr};
  args.insert(args.end(), words.begin(), words.end());
  args[0] = reinterpret_cast<void*>(args.size() * sizeof(void*));
  EXPECT_EQ(told(layouts_function(which)(args.data())).second, "");
  return {args.begin() + 2, args.end()};
}

std::string layout_text(void* layout) {
  const auto seen = ask_layouts(kSerialize, {layout, nullptr, nullptr, nullptr, nullptr});
  std::string text(static_cast<const char*>(seen[1]), reinterpret_cast<std::size_t>(seen[2]));
  reinterpret_cast<void (*)(void*)>(seen[4])(seen[3]);
  return text;
}

TEST_F(AheadOfTime, KeepsTheLayoutsThatAProgramAsksFor) {
  ASSERT_EQ(compile(R"(module @jit_f {
  func.func public @main(%a: tensor<4x8xf32> {mhlo.layout_mode = "{0,1}"},
                         %b: tensor<4x8xf32> {mhlo.layout_mode = "auto"}, %c: tensor<f32>)
      -> (tensor<4x8xf32>, tensor<4x8xf32> {mhlo.layout_mode = "{0,1}"}) {
    return %a, %b : tensor<4x8xf32>, tensor<4x8xf32>
  }
})")
                .second,
            "");
  const auto texts = [&](LayoutsFunction which) {
    const auto seen = ask_layouts(which, {executable_, nullptr, nullptr});
    std::vector<std::string> all;
    for (std::size_t i = 0; i < reinterpret_cast<std::size_t>(seen[1]); ++i)
      all.push_back(layout_text(static_cast<void**>(seen[2])[i]));
    return all;
  };
  EXPECT_THAT(texts(kParameters), ElementsAre("{0,1}", "{1,0}", "{}"));
  EXPECT_THAT(texts(kResults), ElementsAre("{1,0}", "{0,1}"));
  auto destroy = args_of<abi::ExecutableDestroyArgs>();
  destroy.executable = executable_;
  call(Slot::Executable_Destroy, &destroy);
}

TEST_F(AheadOfTime, RefusesLayoutsThatMemoryCannotHave) {
  const auto with = [](const char* mode) {
    return std::string("func.func @main(%a: tensor<4x8xf32> {mhlo.layout_mode = \"") + mode +
           "\"}) -> tensor<4x8xf32> { return %a : tensor<4x8xf32> }";
  };
  const auto [code, text] = compile(with("{0,1:T(8,128)}"));
  EXPECT_EQ(code, abi::kUnimplemented);
  EXPECT_THAT(text, HasSubstr("the layout \"{0,1:T(8,128)}\""));
  EXPECT_THAT(compile(with("{0,0}")).second, HasSubstr("no permutation of the 2 dimensions"));
}

TEST_F(AheadOfTime, RefusesWhatItCannotCompileWithTheReason) {
  const auto [code, text] = compile("module { func.func @main() -> tensor<f32> { return %x } }");
  EXPECT_EQ(code, abi::kInvalidArgument);
  EXPECT_THAT(text, HasSubstr("%x"));
  EXPECT_EQ(compile("", "hlo").first, abi::kUnimplemented);
}

}  // namespace
}  // namespace understudy::pjrt
