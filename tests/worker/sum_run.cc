// SPDX-License-Identifier: Apache-2.0
#include "tests/worker/sum_run.h"

#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>
#include <span>

#include "configs/base/digest.h"
#include "configs/base/file.h"
#include "configs/launch/contract.h"
#include "configs/launch/shell_variables.h"

namespace understudy::worker {
namespace {

namespace fs = std::filesystem;

// CHIPS, ALL (2 * chips) and RANKS are filled in.
constexpr std::string_view kProgram = R"(
module @sum attributes {mhlo.num_partitions = CHIPS : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=CHIPS]>
  func.func public @main(%arg0: tensor<ALLxf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<ALLxf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
    %0:2 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{}]>, <@mesh, [{"x"}]>] manual_axes={"x"} (%arg1: tensor<2xf32>) {
      %1 = "stablehlo.all_reduce"(%arg1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[RANKS]]> : tensor<1xCHIPSxi64>, use_global_device_ids}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %4 = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %4 : tensor<f32>
      }) : (tensor<2xf32>) -> tensor<2xf32>
      %cst = stablehlo.constant dense<4.000000e+00> : tensor<2xf32>
      %3 = stablehlo.multiply %arg1, %cst : tensor<2xf32>
      sdy.return %1, %3 : tensor<2xf32>, tensor<2xf32>
    } : (tensor<ALLxf32>) -> (tensor<2xf32>, tensor<ALLxf32>)
    return %0#0, %0#1 : tensor<2xf32>, tensor<ALLxf32>
  }
}
)";

std::string filled_in(std::string text, const std::string& word, const std::string& value) {
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word)) {
    text.replace(at, word.size(), value);
  }
  return text;
}

std::string program_for(int chips) {
  std::vector<int> ranks(static_cast<std::size_t>(chips));
  std::iota(ranks.begin(), ranks.end(), 0);
  std::string text = filled_in(std::string(kProgram), "CHIPS", std::to_string(chips));
  text = filled_in(text, "ALL", std::to_string(2 * chips));
  return filled_in(text, "RANKS", fmt::format("{}", fmt::join(ranks, ", ")));
}

}  // namespace

SumRun::SumRun(int chips) {
  clear_records();
  const std::string program = program_for(chips);
  write_file_atomically(folder.file("program.mlir"), std::string_view(program));
  plan.run_id = fmt::format("sum-{}", fs::path(folder.path()).filename().string());
  plan.slice = fmt::format("v6e-{}", chips);
  plan.chip = "v6e";
  plan.chips = plan.partitions = chips;
  plan.host_of.assign(static_cast<std::size_t>(chips), HostId(0));
  plan.slice_shape = {chips, 1, 1};
  plan.slice_wraps = {0, 0, 0};
  for (int chip = 0; chip < chips; ++chip) plan.coordinates.push_back({chip, 0, 0});
  plan.hbm_bytes = 1 << 20;
  plan.vmem_bytes = 1 << 20;
  plan.program_path = "sum.mlir";
  plan.program_file = "program.mlir";
  plan.program_digest = digest_of(std::string_view(program));
  plan.numerics = "tpu";
  plan.collectives = "ring";
  plan.cache_dir = folder.file("cache");
  plan.cache_policy = "per-host";
  plan.cache_lock = "exclusive-file";
  plan.program_source_digest = plan.program_digest;
  plan.timeout_seconds = 20;
  configs::PlannedArray shards{"f32", {2}, {}, {}, false}, products = shards, sum = shards;
  for (int chip = 0; chip < chips; ++chip) {
    shards.files.push_back(fmt::format("a{}", chip));
    shards.tile_of.push_back(chip);
    products.files.push_back(fmt::format("p{}", chip));
    products.tile_of.push_back(chip);
    sum.tile_of.push_back(0);
    const auto value = static_cast<float>(chip + 1);
    const std::array<float, 2> values = {value, 10 * value};
    write_file_atomically(folder.file(shards.files.back()), std::as_bytes(std::span(values)));
  }
  sum.files = {"sum"};
  sum.declared_replicated = true;
  plan.arguments = {shards};
  plan.results = {sum, products};
}

void SumRun::write_plan(const std::vector<std::string>& environment) {
  const configs::Contract contract = configs::contract_of(
      {plan, std::nullopt, plan.program_digest, configs::variables_of(environment)});
  plan.contract_digest = digest_of(contract);
  plan.contract_sections.clear();
  for (const configs::ContractSection& section : contract.sections)
    plan.contract_sections.emplace_back(section.name, digest_of(section));
  plan.identity_digests.assign(plan.host_of.size(), digest_of(contract.identity));
  write_file_atomically(folder.file("plan.json"), configs::to_json(plan));
}

void SumRun::clear_records() const {
  fs::remove_all(folder.file("records"));
  fs::create_directory(folder.file("records"));
}

configs::RecordContent SumRun::record_of(int rank) const {
  return configs::read_record(folder.file(fmt::format("records/{}", rank))).value();
}

std::vector<float> SumRun::floats(const std::string& file) const {
  const auto bytes = read_binary_file(folder.file(file));
  std::vector<float> values(bytes.size() / sizeof(float));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

}  // namespace understudy::worker
