// SPDX-License-Identifier: Apache-2.0
#include "program/passes/module/calls.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <unordered_map>
#include <vector>

#include "program/passes/module/attributes.h"
#include "program/passes/module/grid.h"

namespace understudy::program::passes {

namespace {

struct Call {
  const Operation* op = nullptr;
  const Function* callee = nullptr;
};

// The functions that one operation calls. The processes of a grid share their functions, so each
// counts once.
std::vector<std::string> callees_of(const Operation& op) {
  if (op.name == "interpreter.run_parallel") {
    Grid grid = grid_of(op);
    std::ranges::move(grid.infeed, std::back_inserter(grid.functions));
    const std::set<std::string> names(grid.functions.begin(), grid.functions.end());
    return {names.begin(), names.end()};
  }
  const auto callee = callee_of(op);
  return callee ? std::vector{*callee} : std::vector<std::string>();
}

// Counts the operations of a function with all calls inlined, callees first. Inlining doubles the
// count with every level of a chain like f calls g twice, so an input of a few lines could expand
// to billions of operations: the limit is checked here, before anything is lowered. The graph of
// calls may be as deep as the program has functions, so an explicit stack replaces recursion.
class Sum {
 public:
  explicit Sum(const Module& module) : module_(module) {}

  // A function is finished when all its calls are; its sum is then final and reused by every
  // later call.
  void run(const Function& main) {
    open(main);
    while (!work_.empty()) {
      // Dangling after open(), which grows the list: the loop takes it anew each time.
      Frame& frame = work_.back();
      if (frame.next < frame.calls.size()) {
        enter(frame.calls[frame.next]);
      } else {
        sums_[frame.function] = frame.operations;
        work_.pop_back();
      }
    }
  }

 private:
  struct Frame {
    const Function* function = nullptr;
    std::uint64_t operations = 0;
    std::vector<Call> calls;
    std::size_t next = 0;
  };
  // Marks a function on the stack; see enter().
  static constexpr std::uint64_t kAtWork = 0;  // no function has no operation

  void open(const Function& function) {
    sums_[&function] = kAtWork;
    Frame frame{&function, 0, {}, 0};
    collect(function.block(), frame);
    work_.push_back(std::move(frame));
  }

  // As deep as regions nest, which the readers bound.
  void collect(const Block& block, Frame& frame) const {
    for (const auto& op : block.operations) {
      ++frame.operations;
      for (const std::string& name : callees_of(*op))
        if (const Function* callee = module_.find_function(name))
          frame.calls.push_back({op.get(), callee});
      for (const auto& region : op->regions)
        for (const auto& nested : region->blocks) collect(*nested, frame);
    }
  }

  void enter(const Call& call) {
    const auto known = sums_.find(call.callee);
    if (known == sums_.end()) return open(*call.callee);
    // The callee is still on the stack: the call graph has a cycle.
    if (known->second == kAtWork)
      throw error_at(call.op->location, ErrorKind::unsupported,
                     fmt::format("{}: @{} calls itself: recursion is not supported", call.op->name,
                                 call.callee->name));
    Frame& frame = work_.back();
    // Cannot wrap: the sum before is at most kMostInlined, and so is every finished callee.
    // A finished callee is added without being visited again: linear in calls, not in their
    // product.
    frame.operations += known->second;
    ++frame.next;
    if (frame.operations > kMostInlined)
      throw error_at(
          call.op->location, ErrorKind::capacity,
          fmt::format("{}: the program has more than {} operations once its calls are inlined",
                      call.op->name, kMostInlined));
  }

  const Module& module_;
  std::unordered_map<const Function*, std::uint64_t> sums_;
  std::vector<Frame> work_;
};

}  // namespace

std::optional<std::string> callee_of(const Operation& op) {
  if (op.name == "func.call") return symbol_of(op, "callee");
  if (op.name == "stablehlo.composite") return symbol_of(op, "decomposition");
  return std::nullopt;
}

void check_calls(const Module& module, const Function& main) { Sum(module).run(main); }

}  // namespace understudy::program::passes
