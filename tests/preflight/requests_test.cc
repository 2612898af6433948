// SPDX-License-Identifier: Apache-2.0
#include "pjrt/client/requests.h"

#include <gtest/gtest.h>

#include "pjrt/core/compile/compile_options.h"
#include "pjrt/core/compile/proto.h"

namespace understudy::pjrt {
namespace {

configs::CompilerRequest request_of(std::int64_t replicas, std::int64_t partitions) {
  configs::CompilerRequest request;
  request.command = "compile";
  request.replicas = replicas;
  request.partitions = partitions;
  for (std::int64_t i = 0; i < replicas * partitions; ++i) request.devices.push_back(100 + i);
  return request;
}

// The plugin reads what the client writes: replica by replica, partitions inside.
TEST(CompileOptions, AreReadBackWithTheSameDevices) {
  const CompileOptions options = read_compile_options(compile_options_of(request_of(2, 3)));
  EXPECT_EQ(options.replicas, 2);
  EXPECT_EQ(options.partitions, 3);
  EXPECT_EQ(options.devices, (std::vector<std::int64_t>{100, 101, 102, 103, 104, 105}));
}

TEST(CompileOptions, HoldTheSwitchesOfThePartitionerAndTheFlags) {
  configs::CompilerRequest request = request_of(1, 2);
  request.propagate_to_output = {true, false};
  request.options = {{"xla_tpu_x", "7"}};
  std::string_view build;
  std::string flag, value;
  const std::string bytes = compile_options_of(request);
  for (const ProtoField& field : proto_fields(bytes)) {
    if (field.number == 3) build = field.bytes;
    if (field.number != 7) continue;
    for (const ProtoField& entry : proto_fields(field.bytes)) {
      if (entry.number == 1) flag = entry.bytes;
      if (entry.number == 2) value = proto_fields(entry.bytes).at(0).bytes;
    }
  }
  EXPECT_EQ(flag, "xla_tpu_x");
  EXPECT_EQ(value, "7");
  bool spmd = false, shardy = false;
  for (const ProtoField& field : proto_fields(build)) {
    if (field.number == 6) spmd = field.value == 1;
    if (field.number == 19) shardy = field.value == 1;
  }
  EXPECT_TRUE(spmd);
  EXPECT_TRUE(shardy);
  EXPECT_EQ(proto_integers(build, 12), (std::vector<std::int64_t>{1, 0}));
}

// libtpu mixes up the layouts of arguments of a Shardy program of one partition without it.
TEST(CompileOptions, AskForPartitioningOfOnePartitionToo) {
  const std::string bytes = compile_options_of(request_of(1, 1));
  bool spmd = false;
  for (const ProtoField& field : proto_fields(proto_fields(bytes).at(0).bytes))
    if (field.number == 6) spmd = field.value == 1;
  EXPECT_TRUE(spmd);
}

TEST(ModuleIn, TakesTheModuleOutOfItsConfig) {
  ProtoWriter out;
  out.bytes(1, "module");
  out.bytes(2, "config");
  EXPECT_EQ(module_in(out.take()), "module");
  EXPECT_EQ(module_in("\xff\xff"), "");
  EXPECT_EQ(module_in(""), "");
}

}  // namespace
}  // namespace understudy::pjrt
