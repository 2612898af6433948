// SPDX-License-Identifier: Apache-2.0
#include "program/passes/module/grid.h"

#include <fmt/format.h>
#include <functional>
#include <set>
#include <unordered_set>

#include "program/passes/module/attributes.h"
#include "program/passes/module/calls.h"

namespace understudy::program::passes {

namespace {

using Visit = std::function<void(const Operation&)>;

// Visits every operation below a function and its callees, each function once. Pending functions
// are in a list: a chain of calls may be as long as the program. Regions nest no deeper than the
// readers allow, so recursion is safe there.
class Walk {
 public:
  Walk(const Module& module, const Visit& visit) : module_(module), visit_(visit) {}

  void run(const std::string& name) {
    add(name);
    while (!pending_.empty()) {
      const Function* const next = pending_.back();
      pending_.pop_back();
      region(next->body);
    }
  }

 private:
  void add(const std::string& name) {
    const Function* const found = module_.find_function(name);
    // Each function once, so recursion of calls ends.
    if (found != nullptr && seen_.insert(found).second) pending_.push_back(found);
  }

  void region(const Region& region_of) {
    for (const auto& block : region_of.blocks)
      for (const auto& op : block->operations) {
        visit_(*op);
        for (const auto& nested : op->regions) region(*nested);
        if (const auto callee = callee_of(*op)) add(*callee);
      }
  }

  const Module& module_;
  const Visit& visit_;
  std::unordered_set<const Function*> seen_;
  std::vector<const Function*> pending_;
};

void visit_below(const Module& module, const std::string& function, const Visit& visit) {
  Walk(module, visit).run(function);
}

// Names may be symbols or strings: suites write both.
std::vector<std::string> names_in(const Operation& op, const Attribute& list) {
  const ArrayAttribute* const array = list.array();
  if (array == nullptr)
    throw error_at(op.location, ErrorKind::input,
                   fmt::format("{}: expected a list of functions", op.name));
  std::vector<std::string> names;
  for (const Attribute& element : array->elements) {
    if (const auto* symbol = element.get<SymbolAttribute>()) {
      names.push_back(symbol->name);
    } else if (const auto* text = element.get<StringAttribute>()) {
      names.push_back(text->value);
    } else {
      throw error_at(op.location, ErrorKind::input,
                     fmt::format("{}: expected the names of functions", op.name));
    }
  }
  return names;
}

}  // namespace

Grid grid_of(const Operation& op) {
  const Attribute* const programs = op.find("programs");
  const ArrayAttribute* const rows = programs == nullptr ? nullptr : programs->array();
  if (rows == nullptr || rows->elements.empty())
    throw error_at(
        op.location, ErrorKind::input,
        fmt::format("{}: 'programs' must list a row of functions for each replica", op.name));
  Grid grid;
  grid.replicas = static_cast<std::int64_t>(rows->elements.size());
  for (const Attribute& row : rows->elements) {
    const std::vector<std::string> names = names_in(op, row);
    const auto partitions = static_cast<std::int64_t>(names.size());
    // The first row fixes the number of partitions.
    if (grid.functions.empty()) grid.partitions = partitions;
    if (partitions == 0 || partitions != grid.partitions)
      throw error_at(
          op.location, ErrorKind::input,
          fmt::format("{}: 'programs' must have equally many functions in every row", op.name));
    grid.functions.insert(grid.functions.end(), names.begin(), names.end());
  }
  if (const Attribute* queue = op.find("infeed")) grid.infeed = names_in(op, *queue);
  return grid;
}

// Several grids of one size may follow each other; of different sizes they would need different
// pods.
std::optional<Grid> grid_of(const Module& module, const Function& entry) {
  std::optional<Grid> first;
  visit_below(module, entry.name, [&](const Operation& op) {
    if (op.name != "interpreter.run_parallel") return;
    Grid grid = grid_of(op);
    if (first && !first->same_size(grid))
      throw error_at(
          op.location, ErrorKind::unsupported,
          fmt::format("{}: conflicting grids of {} x {} and {} x {} processes", op.name,
                      grid.replicas, grid.partitions, first->replicas, first->partitions));
    if (!first) first = std::move(grid);
  });
  return first;
}

// StableHLO leaves the pairing of several senders and receivers on one channel open. Here the i-th
// sender is paired with the i-th receiver. If the same processes send and receive, each sends to
// the next one (a ring), as nobody can receive from itself.
Wiring wiring_of(const Module& module, const Grid& grid) {
  struct Ends {
    ProcessGroup senders, receivers;
    const Operation* example = nullptr;
  };
  std::map<std::int64_t, Ends> channels;
  // By channel: operations of one program may use several.
  for (std::size_t process = 0; process < grid.functions.size(); ++process) {
    std::set<std::pair<std::int64_t, bool>> seen;
    visit_below(module, grid.functions[process], [&](const Operation& op) {
      const bool sends = op.name == "stablehlo.send";
      if (!sends && op.name != "stablehlo.recv") return;
      const std::int64_t channel = channel_of(op);
      // A process counts once per channel and direction, however many operations it has
      // there.
      if (!seen.emplace(channel, sends).second) return;
      Ends& ends = channels[channel];
      (sends ? ends.senders : ends.receivers).emplace_back(static_cast<std::int64_t>(process));
      ends.example = &op;
    });
  }
  Wiring wiring;
  for (const auto& [channel, ends] : channels) {
    if (ends.senders.size() != ends.receivers.size())
      throw error_at(
          ends.example->location, ErrorKind::input,
          fmt::format("{}: channel {} has {} senders and {} receivers", ends.example->name, channel,
                      ends.senders.size(), ends.receivers.size()));
    const std::size_t count = ends.senders.size();
    // Senders and receivers in the order of processes; a ring where both are the same.
    const std::size_t shift = ends.senders == ends.receivers ? 1 : 0;
    if (shift == 1 && count == 1)
      throw error_at(ends.example->location, ErrorKind::input,
                     fmt::format("{}: process {} has no peer on channel {}", ends.example->name,
                                 ends.senders[0].value, channel));
    for (std::size_t i = 0; i < count; ++i)
      wiring[channel].push_back({ends.senders[i], ends.receivers[(i + shift) % count]});
  }
  return wiring;
}

}  // namespace understudy::program::passes
