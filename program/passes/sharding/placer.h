// SPDX-License-Identifier: Apache-2.0
// How each value of @main is laid out over the chips, and what only a partitioner can follow.
// understudy runs per-chip programs only. Outside manual computations a value is a global array: it
// must be whole on every chip, or tiled exactly as the next manual computation expects it. Nothing
// in @main may move data between chips implicitly.
//
// The input forms are Shardy (sdy.manual_computation) and GSPMD (custom calls SPMDFullToShardShape
// and SPMDShardToFullShape around local code). Internal to placement*.cc; for one run.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "program/passes/sharding/annotations.h"
#include "program/passes/sharding/followed_calls.h"

namespace understudy::program::passes {

class Placer {
 public:
  Placer(const Module& module, const Function& main, std::int64_t partitions,
         bool arguments_are_placed)
      : module_(module),
        main_(main),
        partitions_(partitions),
        arguments_are_placed_(arguments_are_placed),
        annotations_(module, partitions),
        calls_(module, main) {}

  void run();
  // After run().
  std::vector<Place> arguments, results;
  std::vector<UnsupportedAnnotation> objections() { return std::move(objections_); }

 private:
  // placement.cc: arguments, results, and what is asked of them.
  static std::string gspmd_of(const Operation& op);  // its GSPMD sharding, or ""
  void refuse(const Operation& op, std::string why);
  Sharding shardy(const Attribute& attribute, const Value& value, const Location& where) const;
  const std::vector<Attribute>& list(const Operation& op, std::string_view name,
                                     std::size_t count) const;
  void demand(const Block& block);
  void demand(const Operation& op);
  void demand(const Operation& op, const Value& root, Sharding sharding);
  void place_argument(std::size_t i);
  void compare_argument(const std::vector<NamedAttribute>& attributes, const Value& value,
                        const Place& place);
  void place_result(std::size_t i);
  const Place& place_of_value(const Value& value) const;

  // placement_operations.cc
  void place(const Block& block);
  void place_call(const Operation& op, const Function& callee);
  void confirm(const std::vector<std::vector<NamedAttribute>>& attributes, std::size_t i,
               const Value& value, const Operation& call);
  void compare_annotations(const Operation& op);
  void place_operation(const Operation& op);
  void see_operands(const Operation& top, const Operation& op, bool& local);
  void place_manual(const Operation& op);
  void refuse_partial(const Operation& op);
  void check_local(const Operation& op, std::string_view what, const TensorType& got,
                   const TensorType& wanted) const;
  void place_annotation(const Operation& op);
  void place_full_to_shard(const Operation& op);
  void place_shard_to_full(const Operation& op);

  const Module& module_;
  const Function& main_;
  std::int64_t partitions_;
  bool arguments_are_placed_;
  Annotations annotations_;
  FollowedCalls calls_;
  std::vector<UnsupportedAnnotation> objections_;
  std::unordered_map<const Value*, Sharding> demanded_;
  std::unordered_map<const Value*, Place> places_;
};

}  // namespace understudy::program::passes
