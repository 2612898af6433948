// SPDX-License-Identifier: Apache-2.0
// StableHLO as a listing. A function is listed after its first caller is complete, whatever its
// name and place in the module; functions that nothing calls are left out.
#include <algorithm>
#include <deque>
#include <fmt/format.h>
#include <unordered_map>

#include "configs/base/digest.h"
#include "program/compare/lister.h"
#include "program/compile.h"
#include "program/text/print_attribute.h"

namespace understudy::program::compare {
namespace {

constexpr std::string_view kCollectiveOps[] = {"stablehlo.all_gather",
                                               "stablehlo.all_reduce",
                                               "stablehlo.all_to_all",
                                               "stablehlo.collective_permute",
                                               "stablehlo.collective_broadcast",
                                               "stablehlo.reduce_scatter",
                                               "stablehlo.collective_reduce",
                                               "stablehlo.send",
                                               "stablehlo.recv"};

// Attributes that name things or tell where they come from.
// They differ between two exports of one program, so they would bury real differences.
constexpr std::string_view kNames[] = {"jax.result_info", "sym_name",         "callee",
                                       "decomposition",   "mhlo.layout_mode", "origin"};

bool is_name(std::string_view attribute) {
  return std::find(std::begin(kNames), std::end(kNames), attribute) != std::end(kNames);
}

// Large literals as digests: their text would be long and costs time.
std::string attribute_text(const Attribute& attribute, std::string_view key) {
  constexpr std::size_t kShown = 64;
  const auto* dense = attribute.get<DenseAttribute>();
  if (dense == nullptr || dense->data->size() <= kShown) return shortened(text_of(attribute, key));
  return fmt::format(
      "{} digest {}", text_of(dense->type),
      digest_of(std::span<const std::byte>(dense->data->data(), dense->data->size())));
}

std::string attributes_text(const std::vector<NamedAttribute>& attributes) {
  std::vector<std::string> all;
  for (const auto& [name, value] : attributes)
    if (!is_name(name)) all.push_back(fmt::format("{} = {}", name, attribute_text(value, name)));
  std::sort(all.begin(), all.end());
  std::string out;
  for (const std::string& each : all) out += (out.empty() ? "" : ", ") + each;
  return out;
}

template <class List>
std::string types_text(const List& values) {
  std::string out;
  for (const auto& value : values) out += (out.empty() ? "" : ", ") + text_of(value->type);
  return out;
}

std::optional<CollectiveFacts> collective_of(const Operation& op) {
  if (std::find(std::begin(kCollectiveOps), std::end(kCollectiveOps), op.name) ==
      std::end(kCollectiveOps))
    return std::nullopt;
  CollectiveFacts out;
  out.kind = op.name.substr(op.name.find('.') + 1);
  // A permute has pairs where the others have groups.
  for (const std::string_view name : {"replica_groups", "source_target_pairs"})
    if (const Attribute* found = op.find(name)) out.groups = attribute_text(*found, name);
  const Attribute* channel = op.find("channel_handle");
  const DialectAttribute* fields = channel == nullptr ? nullptr : channel->dialect();
  const Attribute* handle = fields == nullptr ? nullptr : fields->find("handle");
  if (handle != nullptr)
    if (const auto* number = handle->get<IntegerAttribute>())
      out.channel = fmt::format("{}{}", number->value,
                                op.find("use_global_device_ids") == nullptr ? "" : ", global ids");
  out.types = types_text(op.results);
  return out;
}

class ModuleLister {
 public:
  explicit ModuleLister(const Module& module) : module_(module) {}

  Listing run() {
    // The entry of a program without options: @main.
    const Function& main = entry_of(module_, {});
    facts(main);
    enqueue(main.name);
    while (!waiting_.empty()) {
      const std::string name = std::move(waiting_.front());
      waiting_.pop_front();
      if (const Function* function = module_.find_function(name)) list_function(*function);
    }
    resolve_calls();
    return std::move(out_);
  }

 private:
  void facts(const Function& main) {
    for (const auto& [name, value] : module_.attributes)
      out_.facts.push_back({name, attribute_text(value, name)});
    std::sort(out_.facts.begin(), out_.facts.end(),
              [](const Fact& a, const Fact& b) { return a.name < b.name; });
    for (const Mesh& mesh : module_.meshes)
      out_.facts.push_back({"mesh " + mesh.name, axes_text(mesh)});
    const auto& arguments = main.block().arguments;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      std::string text = text_of(arguments[i]->type);
      if (i < main.argument_attributes.size())
        if (const std::string more = attributes_text(main.argument_attributes[i]); !more.empty())
          text += " {" + more + "}";
      out_.facts.push_back({fmt::format("argument {}", i), std::move(text)});
    }
    for (std::size_t i = 0; i < main.result_types.size(); ++i) {
      std::string text = text_of(main.result_types[i]);
      if (i < main.result_attributes.size())
        if (const std::string more = attributes_text(main.result_attributes[i]); !more.empty())
          text += " {" + more + "}";
      out_.facts.push_back({fmt::format("result {}", i), std::move(text)});
    }
  }

  void enqueue(const std::string& name) {
    // Each function once, however many calls it has.
    if (functions_.try_emplace(name, 0).second) waiting_.push_back(name);
  }

  void list_function(const Function& function) {
    functions_[function.name] = static_cast<std::uint32_t>(out_.entries.size());
    Entry header;
    header.name = "function";
    header.types = types_text(function.block().arguments);
    header.location = function.location;
    out_.entries.push_back(std::move(header));
    arguments(function.block(), functions_[function.name]);
    list_block(function.block(), 1);
  }

  void arguments(const Block& block, std::uint32_t entry) {
    for (const auto& argument : block.arguments) values_[argument.get()] = {entry, argument->index};
  }

  // Regions nest no deeper than the readers allow.
  void list_block(const Block& block, std::uint32_t depth) {
    for (const auto& op : block.operations) list_operation(*op, depth);
  }

  void list_operation(const Operation& op, std::uint32_t depth) {
    Entry entry;
    entry.name = op.name;
    entry.types = types_text(op.results);
    entry.attributes = attributes_text(op.attributes);
    entry.depth = depth;
    entry.location = op.location;
    entry.collective = collective_of(op);
    // Operands are defined before their use in StableHLO, so each has an entry; regions see values
    // of outside too.
    for (const Value* operand : op.operands) entry.uses.push_back(values_[operand]);
    const auto index = static_cast<std::uint32_t>(out_.entries.size());
    for (const auto& result : op.results) values_[result.get()] = {index, result->index};
    out_.entries.push_back(std::move(entry));
    // Callees are queued, not listed here: recursion over calls could be as deep as the module is
    // long.
    for (const std::string_view name : {"callee", "decomposition"})
      if (const Attribute* found = op.find(name))
        if (const auto* symbol = found->get<SymbolAttribute>()) {
          enqueue(symbol->name);
          // The entry of the callee is not known yet.
          calls_.emplace_back(index, symbol->name);
        }
    for (const auto& region : op.regions)
      for (const auto& block : region->blocks) list_region(*block, depth + 1);
  }

  void list_region(const Block& block, std::uint32_t depth) {
    Entry header;
    header.name = "region";
    header.types = types_text(block.arguments);
    header.depth = depth;
    // A region has no place of its own; its first operation is where a reader would look.
    header.location = block.operations.empty() ? Location{} : block.operations[0]->location;
    arguments(block, static_cast<std::uint32_t>(out_.entries.size()));
    out_.entries.push_back(std::move(header));
    list_block(block, depth + 1);
  }

  // Which function a call means is known when all are listed.
  void resolve_calls() {
    for (const auto& [entry, name] : calls_)
      // Each callee was queued, but one that the module lacks keeps entry 0.
      out_.entries[entry].uses.push_back({functions_.at(name), 0});
  }

  const Module& module_;
  Listing out_;
  std::deque<std::string> waiting_;
  std::unordered_map<std::string, std::uint32_t> functions_;  // their entries
  std::unordered_map<const Value*, Use> values_;
  std::vector<std::pair<std::uint32_t, std::string>> calls_;
};

}  // namespace

Listing list(const Module& module) { return ModuleLister(module).run(); }

}  // namespace understudy::program::compare
