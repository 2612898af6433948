// SPDX-License-Identifier: Apache-2.0
#include "tests/cache/sample.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "configs/base/error.h"
#include "tests/program/process_lists.h"

namespace understudy::cache {
namespace {

using program::Body;
using program::Buffer;
using program::ElementType;
using program::Instruction;
using program::Operand;
using program::Space;
using program::TensorType;
using program::Window;

Operand scalar(Space space, std::uint32_t index, std::uint64_t offset) {
  return {Buffer{space, index, offset}, TensorType{ElementType::bf16, {}}};
}

Instruction doing(program::Work work, std::uint32_t op) {
  Instruction instruction;
  instruction.work = std::move(work);
  instruction.inputs = {scalar(Space::argument, 1, 16)};
  instruction.outputs = {scalar(Space::temporary, 0, 64), scalar(Space::result, 2, 0)};
  instruction.op = op;
  return instruction;
}

Body adding() {
  Body body;
  body.parameters = {scalar(Space::frame, 0, 0), scalar(Space::frame, 0, 16)};
  body.results = {scalar(Space::frame, 0, 32)};
  body.code = {doing(program::Binary{program::BinaryOp::power}, 90)};
  body.frame_bytes = 48;
  body.lanewise = false;
  return body;
}

Window window() { return {{2, 3}, {1, 2}, {1, 1}, {2, 1}, {0, 1}, {1, 0}}; }

program::Convolution convolution() {
  program::Convolution work;
  work.input_batch = 3;
  work.input_feature = 2;
  work.kernel_input_feature = 3;
  work.kernel_output_feature = 2;
  work.output_batch = 1;
  work.output_feature = 3;
  work.input_spatial = {0, 1};
  work.kernel_spatial = {1, 0};
  work.output_spatial = {2, 0};
  work.window = window();
  work.reversal = {true, false};
  work.feature_groups = 4;
  work.batch_groups = 5;
  work.lhs_precision = program::Precision::high;
  work.rhs_precision = program::Precision::highest;
  return work;
}

program::Collective collective() {
  program::Collective work;
  work.kind = program::CollectiveKind::reduce_scatter;
  work.groups = program::groups({{0, 2}, {1, 3}});
  work.source_target = program::pairs({{0, 1}, {1, 0}});
  work.channel = 7;
  work.dimension = 1;
  work.split_dimension = 2;
  work.concat_dimension = 3;
  work.split_count = 4;
  work.reduction = program::Reduction::maximum;
  work.body = adding();
  work.ops = {4, 5};
  work.lane = 2;
  return work;
}

program::While loop() {
  program::While work;
  work.condition = {doing(program::Compare{program::Direction::lt, true}, 30)};
  work.predicate = scalar(Space::temporary, 0, 128);
  work.body = {doing(program::Case{{{doing(program::Fill{}, 31)}, {}}}, 32)};
  return work;
}

// Over 40 lines: one of each kind.
std::vector<program::Work> all_work() {
  return {
      program::Unary{program::UnaryOp::erf},
      program::Binary{program::BinaryOp::zeta},
      program::Compare{program::Direction::ge, true},
      program::Select{},
      program::Clamp{},
      program::Convert{},
      program::ReducePrecision{5, 10},
      program::BitcastConvert{},
      program::Iota{1},
      program::ProcessIndex{true},
      program::StridedCopy{{2, 3}, {3, 1}, {1, 2}, 4, 5},
      program::Join{{program::StridedCopy{{2}, {3}, {1}, 4, 5}, {{1}, {0}, {1}, 0, 1}}},
      program::Fill{},
      program::HostMove{true},
      program::Poison{},
      program::DynamicSlice{},
      program::DynamicUpdateSlice{},
      program::LocateSlice{},
      program::DynamicPad{},
      program::RealDynamicSlice{},
      program::Gather{{1}, {0}, {2}, {3}, {0}, {1, 4}, 2},
      program::TakeElements{5, 6, {2, 3}, {30, 0}},
      program::Scatter{{1}, {0}, {2}, {3}, {4}, 1, program::Reduction::sum, true, true, adding()},
      program::Reduce{{0, 1}, program::Reduction::product, adding()},
      program::ArgReduce{1, false},
      program::ReduceWindow{window(), program::Reduction::minimum, adding()},
      program::SelectAndScatter{window(), adding(), adding(), program::Reduction::sum},
      program::Sort{1, false, adding()},
      program::Map{adding()},
      program::Fused{{doing(program::Binary{program::BinaryOp::add}, 95)}, 4, 8, 12},
      program::Dot{{0}, {1}, {2}, {1}, program::Precision::high, program::Precision::highest},
      program::RaggedDot{true, 2, program::Precision::high, program::Precision::highest},
      convolution(),
      program::Fft{program::FftKind::irfft, {8}},
      program::Cholesky{true},
      program::TriangularSolve{false, false, true, true, true},
      program::RngBitGenerator{program::RngAlgorithm::philox},
      program::Rng{true},
      program::Lapack{program::Routine::geev, true, false, true, false, true},
      loop(),
      program::Case{{{doing(program::Select{}, 40)}}},
      program::Assert{"expected {0}"},
      collective(),
      program::CollectiveDone{2},
      program::Transfer{true, 3, program::pairs({{0, 1}})},
      program::Expect{program::Demand::within_ulps, 0.5, 1, 3, "probe", 2},
      program::Probe{"probe"},
      program::InfeedTurn{{true, false}}};
}

}  // namespace

program::Executable every_kind() {
  program::Executable executable;
  executable.arguments = {{ElementType::f32, {2, 3}}, {ElementType::c128, {}}};
  executable.results = {{ElementType::ui4, {0}}};
  executable.replicas = 2;
  executable.partitions = 4;
  executable.numerics = program::Numerics::ieee;
  std::uint32_t op = 0;
  for (auto& work : all_work()) executable.code.push_back(doing(std::move(work), op++));
  for (int i = 0; i < 300; ++i) executable.constants.push_back(static_cast<std::byte>(i % 251));
  executable.temporary_bytes = 4096;
  executable.host_temporary_bytes = 128;
  executable.op_names = {"stablehlo.add", "stablehlo.all_reduce"};
  return executable;
}

program::Executable small_executable(std::int64_t mark) {
  program::Executable executable;
  executable.replicas = mark;
  executable.constants.resize(16, static_cast<std::byte>(mark));
  return executable;
}

KeyParts sample_parts(const std::string& program) { return {program, "tpu", 1, "v6e", "digest"}; }

TemporaryFolder::TemporaryFolder() {
  std::string pattern = std::filesystem::temp_directory_path() / "understudy-cache-XXXXXX";
  UNDERSTUDY_ASSERT(::mkdtemp(pattern.data()) != nullptr);
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code left;
  std::filesystem::remove_all(path_, left);
}

std::string read_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  UNDERSTUDY_ASSERT(in.good());
  return {std::istreambuf_iterator<char>(in), {}};
}

void write_text(const std::string& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out << text;
  UNDERSTUDY_ASSERT(out.good());
}

}  // namespace understudy::cache
