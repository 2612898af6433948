// SPDX-License-Identifier: Apache-2.0
#include "pjrt/core/compile/proto.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "configs/base/error.h"
#include "pjrt/core/compile/compile_options.h"
#include "pjrt/core/compile/op_sharding.h"

namespace understudy::pjrt {
namespace {

using testing::ElementsAre;

std::string options_of(std::int64_t replicas, std::int64_t partitions,
                       const std::vector<std::vector<std::int64_t>>& by_partition) {
  ProtoWriter assignment;
  assignment.number(1, static_cast<std::uint64_t>(replicas));
  assignment.number(2, static_cast<std::uint64_t>(partitions));
  for (const auto& devices : by_partition) {
    ProtoWriter entry;
    entry.packed(1, devices);
    assignment.bytes(3, entry.take());
  }
  ProtoWriter build;
  build.number(1, static_cast<std::uint64_t>(-1));
  build.number(4, static_cast<std::uint64_t>(replicas));
  build.number(5, static_cast<std::uint64_t>(partitions));
  if (!by_partition.empty()) build.bytes(9, assignment.take());
  ProtoWriter options;
  options.bytes(3, build.take());
  return options.take();
}

TEST(CompileOptions, ReadsWhatThePartitionerMayChoose) {
  ProtoWriter build;
  build.number(5, 4);
  build.packed(12, {1, 0, 1});
  build.packed(18, {0, 1});
  ProtoWriter message;
  message.bytes(3, build.take());
  const CompileOptions options = read_compile_options(message.take());
  EXPECT_THAT(options.propagate_to_output, ElementsAre(true, false, true));
  EXPECT_THAT(options.propagate_to_parameters, ElementsAre(false, true));
}

TEST(CompileOptions, ReadsTheAssignmentByProcess) {
  const CompileOptions options = read_compile_options(options_of(2, 2, {{0, 4}, {300, 5}}));
  EXPECT_EQ(options.replicas, 2);
  EXPECT_EQ(options.partitions, 2);
  // Process = replica * partitions + partition.
  EXPECT_THAT(options.devices, ElementsAre(0, 300, 4, 5));
}

TEST(CompileOptions, WritesTheAssignmentThatItRead) {
  const CompileOptions options = read_compile_options(options_of(2, 2, {{0, 4}, {1, 5}}));
  const std::string written = device_assignment_proto(options);  // the fields point into it
  const auto fields = proto_fields(written);
  ASSERT_EQ(fields.size(), 4U);
  EXPECT_THAT(proto_integers(fields[2].bytes, 1), ElementsAre(0, 4));
  EXPECT_THAT(proto_integers(fields[3].bytes, 1), ElementsAre(1, 5));
}

std::string overriding(std::string_view name, std::uint32_t kind, std::string_view text) {
  ProtoWriter value;
  if (text.empty()) value.number(kind, 1);
  if (!text.empty()) value.bytes(kind, text);
  ProtoWriter entry;
  entry.bytes(1, name);
  entry.bytes(2, value.take());
  ProtoWriter options;
  options.bytes(7, entry.take());
  return options.take();
}

// JAX's compiler_options. The words are those that XLA has for them.
TEST(CompileOptions, RefusesOverridesThatNoTpuHas) {
  const auto words = [](const std::string& bytes) -> std::string {
    try {
      (void)read_compile_options(bytes);
    } catch (const Error& error) {
      return error.message();
    }
    return "";
  };
  EXPECT_EQ(words(overriding("invalid_key", 1, "x")), "No such compile option: 'invalid_key'");
  EXPECT_EQ(words(overriding("xla_embed_ir_in_executable", 1, "x")),
            "While setting option xla_embed_ir_in_executable, 'x' is not a valid bool value.");
  EXPECT_EQ(words(overriding("xla_embed_ir_in_executable", 1, "False")), "");
  EXPECT_EQ(words(overriding("xla_embed_ir_in_executable", 2, "")), "");
  EXPECT_EQ(words(overriding("xla_tpu_scoped_vmem_limit_kib", 1, "65536")), "");
}

TEST(CompileOptions, RefusesAnAssignmentOfAnotherSizeAndCutBytes) {
  EXPECT_THROW(read_compile_options(options_of(1, 4, {{0}, {1}})), Error);
  const std::string whole = options_of(1, 2, {{0}, {1}});
  for (std::size_t size = 1; size < whole.size(); ++size)
    EXPECT_THROW(read_compile_options(whole.substr(0, size)), Error) << size;
}

TEST(CompileOptions, TakesOneProcessWhereNothingIsSaid) {
  const CompileOptions options = read_compile_options("");
  EXPECT_EQ(options.processes(), 1);
  EXPECT_TRUE(options.devices.empty());
}

TEST(OpSharding, ListsTheHoldersOfEachTile) {
  // Two tiles along dimension 0, each on two of four partitions, not in their order.
  const program::Sharding sharding{{2, 1}, {1, 0, 1, 0}, false};
  const std::string bytes = op_sharding(sharding, 4);
  EXPECT_THAT(proto_integers(bytes, 1), ElementsAre(3));
  EXPECT_THAT(proto_integers(bytes, 3), ElementsAre(2, 1, 2));
  EXPECT_THAT(proto_integers(bytes, 4), ElementsAre(1, 3, 0, 2));
  EXPECT_THAT(proto_integers(bytes, 6), ElementsAre(1));
}

TEST(OpSharding, IsReplicatedForOneTile) {
  const std::string bytes = op_sharding({{1, 1}, {0, 0}, false}, 2);
  EXPECT_THAT(proto_integers(bytes, 1), ElementsAre(0));
}

}  // namespace
}  // namespace understudy::pjrt
