// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/chain_code/chain_tables.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <numeric>
#include <utility>

#include "worker/ops/chain_code/chain_operands.h"
#include "worker/ops/chain_code/link_values.h"
#include "worker/ops/chain_code/look_up_cost.h"

namespace understudy::worker::ops::chain_code {
namespace {

using Kind = ChainOperation::Kind;
using program::ElementType;
using program::kernels::ChainSource;
using program::kernels::ChainStep;
using program::kernels::is_byte;
using program::kernels::is_half;
using program::kernels::is_word;

// They share the second-level cache.
constexpr std::size_t kMostTables = 3;

bool can_index(ElementType type) { return is_half(type) || is_byte(type); }

// What a value depends on.
struct Origin {
  bool is_constant = true;
  std::optional<TableRoot> root;  // the only number; none: several values, or others
  bool is_one() const { return !is_constant && root; }
};
Origin joined(const Origin& a, const Origin& b) {
  if (a.is_constant) return b;
  if (b.is_constant || a.root == b.root) return a;
  return {false, std::nullopt};
}

class TableFinder {
 public:
  explicit TableFinder(const ChainText& text) : text_(text), values_(text.links) {
    origins_.resize(text.links.size());
    for (std::size_t l = 0; l < text.links.size(); ++l) see(l);
  }

  std::vector<ChainTable> find() const {
    std::vector<ChainTable> found;
    for (std::size_t l = 0; l < text_.links.size(); ++l)
      for (const LinkOperand& operand : values_.operands(l)) {
        const std::size_t maker = operand.maker;
        if (maker == kNoLink || text_.links[l].operation.kind == Kind::hold) continue;
        if (!origins_[maker].is_one() || is_root(maker) || stays_inside(l, maker)) continue;
        const ElementType type = values_.type(maker);
        if (!can_index(type) && !is_word(type)) continue;
        const TableRoot& root = *origins_[maker].root;
        if (std::ranges::find(found, maker, &ChainTable::output) == found.end())
          found.push_back({root, maker, number_of(root), type});
      }
    return found;
  }
  const LinkValues& values() const { return values_; }

 private:
  void see(std::size_t l) {
    Origin origin;
    for (const LinkOperand& operand : values_.operands(l))
      origin = joined(origin, origin_of(l, operand));
    inside_.push_back(origin);
    if (!origin.is_constant && !origin.root && can_index(values_.type(l)) &&
        LinkValues::makes_value(text_.links[l]))
      origin.root = TableRoot{l, std::nullopt};
    origins_[l] = origin;
  }
  Origin origin_of(std::size_t l, const LinkOperand& operand) {
    switch (operand.source) {
      case ChainSource::accumulator:
      case ChainSource::held:
        return operand.maker == kNoLink ? Origin{false, std::nullopt} : origins_[operand.maker];
      case ChainSource::shared:
        return {is_constant(text_.instruction, *place_of(text_.links[l], operand.number)),
                std::nullopt};
      case ChainSource::dense:
        break;
    }
    if (!can_index(operand.type) || is_written(*place_of(text_.links[l], operand.number)))
      return {false, std::nullopt};
    const auto same = std::ranges::find_if(dense_, [&](const TableRoot& root) {
      return place_of(text_.links[root.link], *root.operand) ==
             place_of(text_.links[l], operand.number);
    });
    if (same != dense_.end()) return {false, *same};
    dense_.push_back({l, operand.number});
    return {false, dense_.back()};
  }
  // Whether a link of the chain changes what is there.
  bool is_written(const FusedPlace& place) const {
    return std::ranges::any_of(text_.links, [&](const ChainLink& link) {
      return link.operation.kind == Kind::store && link.out == place;
    });
  }
  bool is_root(std::size_t link) const {
    return origins_[link].root == TableRoot{link, std::nullopt};
  }
  // Whether link `l` depends on the root of its operand alone.
  bool stays_inside(std::size_t l, std::size_t maker) const {
    return text_.links[l].operation.kind != Kind::store && inside_[l].root == origins_[maker].root;
  }
  ElementType number_of(const TableRoot& root) const {
    if (!root.operand) return values_.type(root.link);
    for (const LinkOperand& operand : values_.operands(root.link))
      if (operand.number == *root.operand) return operand.type;
    return values_.type(root.link);
  }

  const ChainText& text_;
  const LinkValues values_;
  std::vector<Origin> origins_;  // of each link's result
  std::vector<Origin> inside_;   // of its operands
  std::vector<TableRoot> dense_;
};

// Marks the links that results need. `tables`: where nothing further is needed but the number.
void need(const LinkValues& values, std::size_t link, std::span<const ChainTable> tables,
          std::vector<bool>& needed) {
  if (needed[link]) return;
  needed[link] = true;
  const auto table = std::ranges::find(tables, link, &ChainTable::output);
  if (table != tables.end()) {
    if (!table->root.operand) need(values, table->root.link, tables, needed);
    return;
  }
  for (const LinkOperand& operand : values.operands(link)) {
    if (operand.hold != kNoLink) needed[operand.hold] = true;
    if (operand.maker != kNoLink) need(values, operand.maker, tables, needed);
  }
}

// The links of a table's function as a chain: from an array of numbers to one of results.
struct TableChain {
  std::vector<ChainLink> links;
  std::vector<ChainStep> steps;
};
TableChain chain_of(const ChainText& text, const LinkValues& values, const ChainTable& table,
                    const std::byte* numbers, std::byte* results) {
  const auto kernels = text.table.chains();
  TableChain chain;
  const auto add = [&](program::kernels::ChainFunction run, Kind kind, ElementType type) {
    ChainLink link;
    link.run = run;
    link.operation.kind = kind;
    link.operation.type = link.operation.result = type;
    chain.links.push_back(link);
    ChainStep step;
    step.run = run;
    chain.steps.push_back(step);
  };
  FusedPlace unused;
  unused.space = program::Space::argument;
  unused.index = UINT32_MAX;
  std::vector<bool> needed(text.links.size(), false);
  // The number is there instead of the links that compute it.
  if (!table.root.operand) needed[table.root.link] = true;
  need(values, table.output, {}, needed);
  for (std::size_t l = 0; l <= table.output; ++l) {
    if (!needed[l]) continue;
    if (l == table.root.link && !table.root.operand) {
      add(kernels.load(table.number, ChainSource::dense), Kind::load, table.number);
      chain.links.back().a = unused;
      chain.links.back().from[0] = ChainSource::dense;
      chain.steps.back().a = numbers;
      continue;
    }
    chain.links.push_back(text.links[l]);
    chain.links.back().ahead = {};
    chain.steps.push_back(text.steps[l]);
    chain.steps.back().run = text.links[l].run;
    chain.steps.back().kernel = text.links[l].kernel;
    if (!table.root.operand) continue;
    const auto& root = place_of(text.links[table.root.link], *table.root.operand);
    const std::byte** const addresses[] = {&chain.steps.back().a, &chain.steps.back().b,
                                           &chain.steps.back().c};
    for (const LinkOperand& operand : values.operands(l))
      if (operand.source == ChainSource::dense && place_of(text.links[l], operand.number) == root)
        *addresses[operand.number] = numbers;
  }
  add(kernels.store(table.result), Kind::store, table.result);
  chain.links.back().out = unused;
  chain.steps.back().out = results;
  return chain;
}

// All numbers of a type, by their bits.
template <class Number>
std::vector<std::byte> all_numbers() {
  std::vector<Number> numbers(std::size_t{1} << 8 * sizeof(Number));
  std::iota(numbers.begin(), numbers.end(), Number{0});
  std::vector<std::byte> bytes(numbers.size() * sizeof(Number));
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}
const std::vector<std::byte>& numbers_of(ElementType type) {
  static const std::vector<std::byte> bytes = all_numbers<std::uint8_t>(),
                                      halves = all_numbers<std::uint16_t>();
  return is_byte(type) ? bytes : halves;
}

// Of one vector, in halves of cycles.
std::size_t cost_of(const ChainText& text, const LinkValues& values, const ChainTable& table) {
  const std::byte number{};
  std::byte result{};
  const TableChain chain = chain_of(text, values, table, &number, &result);
  constexpr std::size_t kPair = 2;
  return body_of({chain.links, chain.steps.data(), text.instruction, text.table}, true, kPair)
             .cost() /
         kPair;
}

}  // namespace

std::vector<ChainTable> tables_of(const ChainText& text) {
  const TableFinder finder(text);
  std::vector<ChainTable> tables = finder.find();
  // Cost and number of each that is worth it.
  std::vector<std::pair<std::size_t, std::size_t>> order;
  for (std::size_t t = 0; t < tables.size(); ++t)
    if (const std::size_t cost = cost_of(text, finder.values(), tables[t]); cost > look_up_cost())
      order.emplace_back(cost, t);
  std::ranges::sort(order, std::greater());
  if (order.size() > kMostTables) order.resize(kMostTables);
  std::vector<ChainTable> chosen;
  for (const auto& [cost, t] : order) {
    const std::size_t n =
        numbers_of(tables[t].number).size() / program::byte_size(tables[t].number);
    tables[t].entries.resize(n * program::byte_size(tables[t].result) + sizeof(std::uint32_t));
    chosen.push_back(std::move(tables[t]));
  }
  return chosen;
}

void fill(const ChainText& text, std::span<ChainTable> tables) {
  const auto kernels = text.table.chains();
  const LinkValues values(text.links);
  for (ChainTable& table : tables) {
    const std::vector<std::byte>& numbers = numbers_of(table.number);
    TableChain chain = chain_of(text, values, table, numbers.data(), table.entries.data());
    chain.steps.emplace_back();
    chain.steps.back().run = kernels.end;
    kernels.run(chain.steps.data(), numbers.size() / program::byte_size(table.number));
  }
}

std::vector<bool> links_beside(const ChainText& text) {
  if (text.tables.empty()) return std::vector<bool>(text.links.size(), true);
  const LinkValues values(text.links);
  std::vector<bool> needed(text.links.size(), false);
  for (std::size_t l = 0; l < text.links.size(); ++l)
    if (text.links[l].operation.kind == Kind::store) need(values, l, text.tables, needed);
  return needed;
}

}  // namespace understudy::worker::ops::chain_code
