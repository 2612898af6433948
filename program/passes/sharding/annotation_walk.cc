// SPDX-License-Identifier: Apache-2.0
// Checks annotations in inner functions and regions. The walk keeps its pending regions in a list
// instead of recursing: programs nest deeper than a stack allows. Each function is visited once,
// however often it is called, as its values count as whole in every call.
#include <algorithm>
#include <deque>
#include <set>
#include <unordered_map>

#include "program/passes/module/attributes.h"
#include "program/passes/sharding/annotations.h"

namespace understudy::program::passes {

class Annotations::Walk {
 public:
  explicit Walk(Annotations& annotations) : annotations_(annotations) {
    for (const auto& function : annotations.module_.functions)
      functions_.emplace(function->name, function.get());
  }

  std::vector<UnsupportedAnnotation> run(const Function& main,
                                         const std::set<const Function*>& followed) {
    // Functions that Placer follows are checked there, operation by operation.
    seen_ = followed_ = followed;
    seen_.insert(&main);
    // The operations themselves were already checked by Placer; only their regions and callees
    // follow.
    for (const Function* function : std::set<const Function*>(seen_))
      for (const auto& op : function->block().operations) enter(*op);
    while (!regions_.empty()) {
      const Region* const region = regions_.front();
      regions_.pop_front();
      for (const auto& block : region->blocks)
        for (const auto& op : block->operations) {
          see(*op);
          enter(*op);
        }
    }
    // Stable: objections of one place keep their order.
    std::ranges::stable_sort(found_, {},
                             [](const UnsupportedAnnotation& one) { return one.location.offset; });
    return std::move(found_);
  }

 private:
  void add(const Location& location, const std::string& name, std::string why) {
    if (!why.empty()) found_.push_back({location, name, std::move(why)});
  }

  Place whole_of(const Type& type) const {
    const std::int64_t ndims = type.is_tensor() ? type.tensor.ndims() : 0;
    return {false, whole(ndims, annotations_.partitions_)};
  }

  // Values become local, or global again, in @main and the functions that Placer follows only.
  std::string unfollowed(const Operation& op) const {
    if (annotations_.partitions_ == 1) return "";
    const bool call = op.name == "stablehlo.custom_call";
    const std::string target = call ? string_of(op, "call_target_name", "") : "";
    const Function* callee =
        op.name == "func.call" ? function_named(symbol_of(op, "callee")) : nullptr;
    const bool is = followed_.contains(callee) || op.name == "sdy.manual_computation" ||
                    target == "SPMDFullToShardShape" || target == "SPMDShardToFullShape";
    return is ? "a manual computation inside of a region needs the partitioner" : "";
  }

  const Function* function_named(const std::string& name) const {
    const auto row = functions_.find(name);
    return row == functions_.end() ? nullptr : row->second;
  }

  void see(const Operation& op) {
    std::string why = unfollowed(op);
    // An operation without results may still carry an annotation.
    for (std::size_t i = 0; why.empty() && i < std::max<std::size_t>(op.results.size(), 1); ++i) {
      const Type type = i < op.results.size() ? op.results[i]->type : Type::token();
      why = annotations_.objection(op.attributes, i, type, whole_of(type), op.location);
    }
    add(op.location, op.name, std::move(why));
  }

  void enter(const Operation& op) {
    for (const auto& region : op.regions) regions_.push_back(region.get());
    for (const auto& [name, attribute] : op.attributes) follow(attribute);
  }

  // Any attribute may name a function: callees, decompositions, called_computations of custom
  // calls. Symbols and strings are both in use. A string that names no function is ignored.
  void follow(const Attribute& attribute) {
    if (const auto* symbol = attribute.get<SymbolAttribute>()) function(symbol->name);
    if (const auto* text = attribute.get<StringAttribute>()) function(text->value);
    if (const ArrayAttribute* array = attribute.array())
      for (const Attribute& element : array->elements) follow(element);
  }

  // Signature annotations first, then the body is queued. Declarations have no body to run.
  void function(const std::string& name) {
    const Function* const found = function_named(name);
    if (found == nullptr || found->body.blocks.empty()) return;
    // Each function once: its values count as whole in every call.
    if (!seen_.insert(found).second) return;
    const auto& arguments = found->block().arguments;
    for (std::size_t i = 0; i < arguments.size() && i < found->argument_attributes.size(); ++i)
      signature(*found, found->argument_attributes[i], arguments[i]->type, arguments[i]->location,
                "an argument of @");
    for (std::size_t i = 0; i < found->result_attributes.size(); ++i)
      signature(*found, found->result_attributes[i], found->result_types.at(i), found->location,
                "a result of @");
    regions_.push_back(&found->body);
  }

  void signature(const Function& function, const std::vector<NamedAttribute>& attributes,
                 const Type& type, const Location& where, const char* what) {
    if (attributes.empty()) return;
    add(where, what + function.name,
        annotations_.objection(attributes, 0, type, whole_of(type), where));
  }

  Annotations& annotations_;
  std::deque<const Region*> regions_;
  std::unordered_map<std::string_view, const Function*> functions_;
  std::set<const Function*> seen_, followed_;
  std::vector<UnsupportedAnnotation> found_;
};

std::vector<UnsupportedAnnotation> Annotations::below(const Function& main,
                                                      const std::set<const Function*>& followed) {
  return Walk(*this).run(main, followed);
}

}  // namespace understudy::program::passes
