// SPDX-License-Identifier: Apache-2.0
// What a module says as a whole: replicas, partitions, meshes, shardings of the entry.
#include <algorithm>
#include <fmt/format.h>

#include "program/hlo/convert.h"
#include "program/passes/sharding/sharding.h"
#include "program/read.h"

namespace understudy::program::hlo {
namespace {

constexpr std::string_view kMeshes = "xla.sdy.meshes";
constexpr std::string_view kSharding = "xla.sdy.sharding";

// How many replicas and partitions the collectives take: every replica group names each id once.
// Where a proto says neither, this is all there is.
struct Counts {
  std::int64_t replicas = 0, partitions = 0;
};
Counts counts_of(const HloModule& module) {
  Counts out;
  for (const Computation& computation : module.computations)
    for (const Instruction& in : computation.instructions) {
      std::int64_t ids = 0;
      for (const Ints& group : in.rows("replica_groups"))
        ids += static_cast<std::int64_t>(group.size());
      // A permutation need not name every process, so its largest id is a lower bound only.
      for (const Ints& pair : in.rows("source_target_pairs"))
        for (const std::int64_t id : pair)
          if (id < passes::kMostProcesses) ids = std::max(ids, id + 1);
      // These five have no use_global_device_ids: with a channel their ids are partitions, without
      // one replicas (the StableHLO specification, cross_partition and cross_replica).
      const bool moves = in.opcode.starts_with("all-to-all") ||
                         in.opcode.starts_with("collective-permute") ||
                         in.opcode.starts_with("collective-broadcast") ||
                         in.opcode.starts_with("ragged-all-to-all");
      const bool partitions =
          in.number("channel_id", 0) > 0 && (moves || in.flag("use_global_device_ids"));
      std::int64_t& most = partitions ? out.partitions : out.replicas;
      most = std::max(most, ids);
    }
  return out;
}

// Tiles of "{devices=[4,2]...}": as many devices as the product.
// GSPMD writes tiles as numbers separated by commas. Characters that are no digits give a product
// out of bounds, or a wrong one that the reader of shardings refuses later.
std::int64_t devices_of(const std::string& sharding) {
  constexpr std::string_view kDevices = "devices=[";
  std::int64_t most = 0;
  for (std::size_t at = sharding.find(kDevices); at != std::string::npos;
       at = sharding.find(kDevices, at + 1)) {
    std::int64_t product = 1, number = 0;
    for (std::size_t i = at + kDevices.size(); i < sharding.size() && sharding[i] != ']'; ++i) {
      if (sharding[i] == ',') {
        product *= number;
        number = 0;
      } else {
        number = number * 10 + (sharding[i] - '0');
      }
      // The bound holds after each step, so neither product nor number can overflow 64 bits.
      if (number < 0 || number > passes::kMostProcesses || product > passes::kMostProcesses)
        return 0;  // not a list of tiles; who reads the sharding says so
    }
    most = std::max(most, product * number);
  }
  return most;
}

std::int64_t sharded_devices(const HloModule& module) {
  std::int64_t most = 0;
  for (const Computation& computation : module.computations)
    for (const Instruction& in : computation.instructions)
      most = std::max(most, devices_of(in.word("sharding")));
  for (const std::string& sharding : module.parameter_shardings)
    most = std::max(most, devices_of(sharding));
  return most;
}

// {mesh = #sdy.mesh<["x"=4]>, other = ...}: each entry is a mesh as MLIR writes it.
void add_meshes(const HloModule& in, Module& out) {
  const auto found = std::find_if(in.frontend.begin(), in.frontend.end(),
                                  [](const auto& each) { return each.first == kMeshes; });
  if (found == in.frontend.end()) return;
  const Location where = in.entry_computation().written;
  const Attribute meshes = parsed(found->second, where);
  const DictionaryAttribute* entries = meshes.dictionary();
  if (entries == nullptr) throw error_at(where, ErrorKind::input, "expected meshes by name");
  for (const auto& [name, mesh] : entries->entries) {
    const DialectAttribute* dialect = mesh.dialect();
    const Attribute* inside = dialect == nullptr ? nullptr : dialect->find("");
    const auto* text = inside == nullptr ? nullptr : inside->get<StringAttribute>();
    if (text == nullptr)
      throw error_at(where, ErrorKind::input, fmt::format("mesh {} is no #sdy.mesh", name));
    // `parsed` gives the text between < and > only; the grammar of meshes is the parser's, reached
    // through a module with one mesh.
    const auto module = parse(std::make_shared<const Source>(
        "", fmt::format("module {{\nsdy.mesh @written = <{}>\n}}\n", text->value)));
    out.meshes.push_back(module->meshes.at(0));
    out.meshes.back().name = name;
    out.meshes.back().location = where;
  }
}

// The partitioner gives the entry the suffix _spmd; its shapes are those of one chip.
bool is_partitioned(const HloModule& module) {
  // Where a proto was dumped after partitioning, spmd_parameters_shardings is filled; a text has
  // only the name.
  return !module.parameter_shardings.empty() || module.entry_computation().name.ends_with("_spmd");
}

// "{{a}, {b}}" as its parts, "{a}" as one.
std::vector<std::string> parts_of(const std::string& sharding) {
  if (!sharding.starts_with("{{")) return {sharding};
  std::vector<std::string> out;
  int depth = 0;
  std::size_t begin = 1;
  for (std::size_t i = 0; i < sharding.size(); ++i) {
    // Depth 1 is the outer brace, depth 2 one sharding. A sharding may nest braces of its own
    // ("{devices=[2]<=[2] metadata={...}}"), so they are counted.
    if (sharding[i] == '{' && depth++ == 1) begin = i;
    if (sharding[i] == '}' && --depth == 1) out.push_back(sharding.substr(begin, i + 1 - begin));
  }
  if (out.empty()) out.push_back(sharding);
  return out;
}

Attribute text_list(const std::vector<std::string>& texts) {
  ArrayAttribute out;
  for (const std::string& text : texts) out.elements.push_back({StringAttribute{text}});
  return {std::make_shared<const ArrayAttribute>(std::move(out))};
}

// A parameter's shardings: one for each leaf. Shardy's own form says more than the GSPMD string.
void shard_arguments(const Converter& converter, Function& main, bool has_meshes) {
  const Computation& entry = converter.module().entry_computation();
  std::size_t at = 0;
  for (const std::uint32_t index : entry.parameters()) {
    const Instruction& in = entry.instructions[index];
    const std::vector<std::string> shardings = parts_of(in.word("sharding"));
    const std::string shardy = has_meshes ? in.frontend(kSharding) : "";
    // Where there are fewer shardings than leaves, the last one holds for the rest.
    for (std::size_t leaf = 0; leaf < in.shape.leaves(); ++leaf, ++at) {
      auto& attributes = main.argument_attributes.at(at);
      // An argument's errors point to the user's line that made the parameter.
      main.block().arguments.at(at)->location = in.location;
      if (!shardy.empty())
        attributes.emplace_back("sdy.sharding", parsed(shardy, in.written));
      else if (const std::string& one = shardings.at(std::min(leaf, shardings.size() - 1));
               !one.empty())
        attributes.push_back(text("mhlo.sharding", one));
    }
  }
}

void shard_results(Converter& converter, Function& main, const Values& results) {
  const Computation& entry = converter.module().entry_computation();
  const std::vector<std::string> shardings =
      parts_of(entry.instructions[entry.root].word("sharding"));
  for (std::size_t i = 0; i < results.size(); ++i) {
    const auto shardy = converter.result_shardings().find(results[i]);
    auto& attributes = main.result_attributes.at(i);
    if (shardy != converter.result_shardings().end())
      attributes.emplace_back("sdy.sharding", shardy->second);
    else if (const std::string& one = shardings.at(std::min(i, shardings.size() - 1));
             !one.empty() && converter.out().meshes.empty())
      attributes.push_back(text("mhlo.sharding", one));
  }
}

// The shardings by which a per-chip program's arrays were cut, as XLA hands them to StableHLO.
void describe_partitioned(const Converter& converter, Module& out) {
  const HloModule& in = converter.module();
  std::vector<std::string> shardings = in.parameter_shardings;
  if (shardings.empty())
    for (const std::uint32_t index : in.entry_computation().parameters())
      shardings.push_back(in.entry_computation().instructions[index].word("sharding"));
  // XLA wants all shardings or none: a list with gaps would give the later ones to the wrong
  // arguments.
  const bool all = std::none_of(shardings.begin(), shardings.end(),
                                [](const std::string& each) { return each.empty(); });
  if (all && !shardings.empty())
    out.attributes.emplace_back("mhlo.spmd_parameters_shardings", text_list(shardings));
  if (!in.output_sharding.empty())
    out.attributes.push_back(text("mhlo.spmd_output_sharding", in.output_sharding));
}

}  // namespace

// A text says replicas and partitions in its header, a proto maybe in its device assignment; else
// the meshes tell, or else the collectives and shardings.
void describe_module(Converter& converter) {
  const HloModule& in = converter.module();
  Module& out = converter.out();
  add_meshes(in, out);
  std::int64_t replicas = in.replicas, partitions = in.partitions;
  // Evidence in order of strength; a wrong count would place the program on too few chips, so
  // guesses are used only where nothing is stated.
  if (replicas == 0 && partitions == 0 && out.meshes.empty()) {
    const Counts counts = counts_of(in);
    replicas = counts.replicas;
    partitions = std::max(counts.partitions, sharded_devices(in));
  }
  if (partitions > 1) out.attributes.push_back(number32("mhlo.num_partitions", partitions));
  if (replicas > 1) out.attributes.push_back(number32("mhlo.num_replicas", replicas));
}

void describe_entry(Converter& converter, Function& main, const Values& results) {
  if (is_partitioned(converter.module())) return describe_partitioned(converter, converter.out());
  shard_arguments(converter, main, !converter.out().meshes.empty());
  shard_results(converter, main, results);
}

}  // namespace understudy::program::hlo
