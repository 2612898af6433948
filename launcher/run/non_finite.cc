// SPDX-License-Identifier: Apache-2.0
#include "launcher/run/non_finite.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <set>
#include <unordered_set>
#include <variant>

#include "launcher/diagnose/op_locations.h"
#include "program/analysis/flow.h"
#include "program/kernels/kernels.h"
#include "program/text/python_place.h"

namespace understudy::launcher {
namespace {

using configs::NonFiniteSeen;
using program::analysis::NodePointer;
using Records = std::vector<std::optional<configs::RecordContent>>;

struct Event {
  std::int64_t rank = 0;
  NonFiniteSeen seen;
};

std::string counted(std::int64_t nans, std::int64_t infinities) {
  std::string text;
  if (nans > 0) text = fmt::format("{} NaN", nans);
  if (infinities > 0)
    text += fmt::format("{}{} {}", text.empty() ? "" : " and ", infinities,
                        infinities == 1 ? "infinity" : "infinities");
  return text;
}

std::string named(const char* what, std::int64_t index, const std::string& name) {
  return name.empty() ? fmt::format("{} {}", what, index)
                      : fmt::format("{} {} ({})", what, index, name);
}

// NaN and infinities of an argument.
std::pair<std::int64_t, std::int64_t> count(const program::Array& array) {
  const bool complex = program::is_complex(array.type.element);
  if (!complex && !program::is_float(array.type.element)) return {};
  const program::ElementType wide =
      complex ? program::ElementType::c128 : program::ElementType::f64;
  // The quickest instruction set will do: a conversion to a wider type is exact in all of them.
  const auto convert = program::kernels::select("").convert(array.type.element, wide);
  if (convert == nullptr) return {};
  // In pieces, so that a large argument is not copied.
  constexpr std::size_t kPiece = 4096;
  const std::size_t width = program::byte_size(array.type.element);
  const std::size_t all = array.bytes.size() / width;
  std::vector<double> values(kPiece * (complex ? 2 : 1));
  std::pair<std::int64_t, std::int64_t> found;
  for (std::size_t at = 0; at < all; at += kPiece) {
    const std::size_t n = std::min(kPiece, all - at);
    convert(array.bytes.data() + at * width, values.data(), n);
    for (std::size_t i = 0; i < n * (complex ? 2 : 1); ++i) {
      found.first += std::isnan(values[i]) ? 1 : 0;
      found.second += std::isinf(values[i]) ? 1 : 0;
    }
  }
  return found;
}

// Operations and arguments behind a result, through values that had NaN (or infinities).
struct Behind {
  std::set<std::uint32_t> ops;
  std::set<std::size_t> arguments;
};

Behind behind(NodePointer result, const std::set<std::uint32_t>& carriers) {
  Behind found;
  std::vector<NodePointer> pending = {result};
  std::unordered_set<NodePointer> seen = {result};
  while (!pending.empty()) {
    const NodePointer node = pending.back();
    pending.pop_back();
    if (node->kind == program::analysis::Node::Kind::argument)
      found.arguments.insert(node->argument);
    if (node->instruction != nullptr) {
      const bool carried = carriers.contains(node->instruction->op);
      // The executable may have no such instruction: passes place a result where it is needed.
      if (!carried && !std::holds_alternative<program::StridedCopy>(node->instruction->work))
        continue;
      if (carried) found.ops.insert(node->instruction->op);
    }
    for (const NodePointer input : node->inputs)
      if (seen.insert(input).second) pending.push_back(input);
  }
  return found;
}

// Workers record each operation once per kind, when it first had such a value.
std::vector<Event> events_of(const Records& records, bool is_nan) {
  std::vector<Event> events;
  for (std::size_t rank = 0; rank < records.size(); ++rank)
    if (records[rank])
      for (const configs::Observation& one : records[rank]->observations)
        if (const auto* seen = std::get_if<NonFiniteSeen>(&one); seen && seen->is_nan == is_nan)
          events.push_back({static_cast<std::int64_t>(rank), *seen});
  return events;
}

// The first of them that made what it found: by step, then by the order on its chip, then by rank.
const Event* first_new(const std::vector<Event>& events, const std::set<std::uint32_t>* among) {
  const Event* first = nullptr;
  const auto key = [](const Event& one) {
    return std::tuple(one.seen.step, one.seen.order, one.rank);
  };
  for (const Event& one : events) {
    if (!one.seen.is_new) continue;
    if (among != nullptr && !among->contains(static_cast<std::uint32_t>(one.seen.op_index)))
      continue;
    if (first == nullptr || key(one) < key(*first)) first = &one;
  }
  return first;
}

class Explanation {
 public:
  Explanation(const LoadedProgram& program, const Records& records)
      : program_(program),
        records_(records),
        ops_(*program.module),
        python_(program.text),
        flow_(program::analysis::flow_of(*program.module, program.options, program.interface)) {}

  // Fills in the origin of the NaN (else the infinities) of a result.
  void explain(std::int64_t result, bool is_nan, const std::vector<program::Array>& arguments,
               configs::NonFinite& all) const {
    const std::vector<Event> events = events_of(records_, is_nan);
    std::set<std::uint32_t> carriers;
    for (const Event& one : events) carriers.insert(static_cast<std::uint32_t>(one.seen.op_index));
    const Behind found = behind(flow_.results[static_cast<std::size_t>(result)], carriers);
    if (explain_by_argument(found.arguments, is_nan, arguments, all)) return;
    // A value that a loop passes on may lead back to an earlier round, which the flow leaves out.
    const Event* origin = first_new(events, &found.ops);
    if (origin == nullptr) origin = first_new(events, nullptr);
    if (origin != nullptr) name(*origin, is_nan, all);
  }

 private:
  bool explain_by_argument(const std::set<std::size_t>& behind, bool is_nan,
                           const std::vector<program::Array>& arguments,
                           configs::NonFinite& all) const {
    for (const std::size_t i : behind) {
      const auto [nans, infinities] = count(arguments[i]);
      if ((is_nan ? nans : infinities) == 0) continue;
      all.argument = static_cast<std::int64_t>(i);
      all.message +=
          fmt::format("; {} already contains {}",
                      named("argument", *all.argument, program_.interface.arguments[i].name),
                      counted(nans, infinities));
      return true;
    }
    return false;
  }

  void name(const Event& origin, bool is_nan, configs::NonFinite& all) const {
    const auto entry = ops_.find(origin.rank, origin.seen.op_index);
    if (!entry) return;
    all.op = entry->name;
    all.place = entry->place;
    all.rank = origin.rank;
    all.step = origin.seen.step;
    all.python = python_of(origin.seen.op_index);
    std::string at = all.python.value_or(entry->place.value_or("an unknown place"));
    if (all.python && entry->place) at += fmt::format(" ({})", *entry->place);
    all.message += fmt::format("; the first {} {} at {}, on rank {} in step {}",
                               is_nan ? "NaN was made by" : "infinity was made by", entry->name, at,
                               origin.rank, origin.seen.step);
    if (origin.seen.from_infinity) add_infinity(all);
  }

  // NaN of infinite operands: inf - inf, 0 * inf. The infinity may be a constant, a mask.
  void add_infinity(configs::NonFinite& all) const {
    const std::vector<Event> events = events_of(records_, false);
    const Event* origin = first_new(events, nullptr);
    const auto entry =
        origin == nullptr ? std::nullopt : ops_.find(origin->rank, origin->seen.op_index);
    if (!entry) {
      all.message += ", from infinite operands";
      return;
    }
    all.message += fmt::format(
        ", from infinite operands; the first infinity was made by {} at {}", entry->name,
        python_of(origin->seen.op_index).value_or(entry->place.value_or("an unknown place")));
  }

  std::optional<std::string> python_of(std::int64_t op) const {
    const auto operations = program::operations_in_order(*program_.module);
    if (op < 0 || op >= static_cast<std::int64_t>(operations.size())) return std::nullopt;
    return python_.of_line(
        program::place_of(operations[static_cast<std::size_t>(op)]->location).line);
  }

  const LoadedProgram& program_;
  const Records& records_;
  OpLocations ops_;
  program::PythonPlaces python_;
  program::analysis::Flow flow_;
};

}  // namespace

std::vector<std::int64_t> unexpected_non_finite(const configs::Receipt& receipt) {
  std::vector<std::int64_t> found;
  for (const configs::ResultReceipt& one : receipt.results) {
    const bool any = one.nans.value_or(0) + one.infinities.value_or(0) > 0;
    const bool expected = one.comparison && one.comparison->ok;
    if (any && !expected) found.push_back(one.index);
  }
  return found;
}

configs::NonFinite explain_non_finite(const configs::Receipt& receipt,
                                      const std::vector<std::int64_t>& results,
                                      const LoadedProgram& program,
                                      const std::vector<program::Array>& arguments,
                                      const Records* records, bool looked) {
  configs::NonFinite all;
  all.results = results;
  bool is_nan = false;
  std::int64_t chosen = results.front();
  for (const configs::ResultReceipt& one : receipt.results) {
    if (std::ranges::find(results, one.index) == results.end()) continue;
    all.message += fmt::format("{}{} has {}", all.message.empty() ? "" : ", ",
                               named("result", one.index, one.name.value_or("")),
                               counted(*one.nans, *one.infinities));
    // NaN says more than an infinity: the first result with one is explained.
    if (!is_nan && *one.nans > 0) {
      is_nan = true;
      chosen = one.index;
    }
  }
  if (records != nullptr) {
    Explanation(program, *records).explain(chosen, is_nan, arguments, all);
  } else if (!looked) {
    all.message += "; --nan-check runs the program again and names the operation that made it";
  }
  return all;
}

}  // namespace understudy::launcher
