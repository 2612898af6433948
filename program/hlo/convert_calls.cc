// SPDX-License-Identifier: Apache-2.0
// Transfers and custom calls.
#include <algorithm>
#include <fmt/format.h>
#include <numeric>

#include "program/hlo/convert.h"
#include "program/ir/dense.h"

namespace understudy::program::hlo {
namespace {

void convert_infeed(Converter& converter, const Instruction& in) {
  converter.emit_result("stablehlo.infeed", converter.all_operands(),
                        {text("infeed_config", in.word("infeed_config"))});
}

void convert_outfeed(Converter& converter, const Instruction& in) {
  converter.emit_result("stablehlo.outfeed", converter.all_operands(),
                        {text("outfeed_config", in.word("outfeed_config"))});
}

// The ends of a channel: type 1 between chips, 2 to the host, 3 from it. Pairs of chips stand in a
// frontend attribute.
std::vector<NamedAttribute> channel_of(const Instruction& in, std::int64_t host_type) {
  const bool host = in.flag("is_host_transfer");
  std::vector<NamedAttribute> out{structure("channel_handle", "channel_handle",
                                            // A channel that is absent has id 0, as in proto3.
                                            {{"handle", number_of(in.number("channel_id", 0))},
                                             {"type", number_of(host ? host_type : 1)}}),
                                  flag("is_host_transfer", host)};
  if (const Words& words = in.words("frontend_attributes"); !words.empty())
    out.emplace_back("mhlo.frontend_attributes", dictionary_of(words));
  return out;
}

void convert_send(Converter& converter, const Instruction& in) {
  constexpr std::int64_t kToHost = 2;
  // XLA keeps the pairs of a point-to-point transfer in this frontend attribute. A pod moves data
  // between chips by collectives only.
  if (!in.frontend("_xla_send_recv_source_target_pairs").empty())
    converter.unsupported(in, "send between chips");
  Operation& op = converter.emit("stablehlo.send", converter.all_operands(), {Type::token()},
                                 channel_of(in, kToHost));
  converter.bind_pending({op.results[0].get()});
}

// (data, context, token)
void convert_recv(Converter& converter, const Instruction& in) {
  constexpr std::int64_t kFromHost = 3;
  if (!in.frontend("_xla_send_recv_source_target_pairs").empty())
    converter.unsupported(in, "recv between chips");
  // The context is a u32 that ties recv to recv-done in HLO; StableHLO has no such value, so it
  // gets no result.
  if (in.shape.parts.size() != 3) converter.refuse("expected a tuple of data, context and token");
  std::vector<Type> types = converter.types_of(in.shape.parts[0]);
  types.push_back(Type::token());
  Operation& op = converter.emit("stablehlo.recv", converter.all_operands(), std::move(types),
                                 channel_of(in, kFromHost));
  Values results;
  for (const auto& result : op.results) results.push_back(result.get());
  converter.bind_pending(std::move(results));
}

// ---- custom calls

Attribute index_list(const Ints& values) {
  Attribute out =
      dense_of(TensorType{ElementType::i64, {static_cast<std::int64_t>(values.size())}}, values);
  DenseAttribute dense = *out.get<DenseAttribute>();
  // Layouts are tensors of `index`, which prints another type than i64 with the same bytes.
  dense.is_index = true;
  return {std::move(dense)};
}

// Minor to major, as StableHLO has it too.
void append_layouts(const HloShape& shape, ArrayAttribute& out) {
  for (const HloShape& part : shape.parts) append_layouts(part, out);
  if (shape.kind == HloShape::Kind::tuple) return;
  Ints order = shape.minor_to_major;
  if (order.empty()) {
    // Without a layout the last dimension is the fastest: minor to major is then the reverse of 0,
    // 1, 2...
    order.resize(shape.dimensions.size());
    std::iota(order.rbegin(), order.rend(), 0);
  }
  out.elements.push_back(index_list(order));
}

void add_layouts(const Instruction& in, std::vector<NamedAttribute>& out) {
  if (!in.flag("constrain_layout")) return;
  ArrayAttribute operands, results;
  for (const HloShape& shape : in.operand_layouts) append_layouts(shape, operands);
  append_layouts(in.shape, results);
  out.emplace_back("operand_layouts",
                   Attribute{std::make_shared<const ArrayAttribute>(std::move(operands))});
  out.emplace_back("result_layouts",
                   Attribute{std::make_shared<const ArrayAttribute>(std::move(results))});
}

void add_aliases(const Instruction& in, std::vector<NamedAttribute>& out) {
  const Rows& rows = in.rows("output_to_operand_aliasing");
  if (rows.empty()) return;
  ArrayAttribute all;
  // A row: the number of output tuple indexes, these indexes, the operand, its tuple indexes (the
  // order in which both readers store `{0}: (1, {2})`).
  for (const Ints& row : rows) {
    const auto length = static_cast<std::ptrdiff_t>(row.at(0));
    const auto operand = row.begin() + 1 + length;
    all.elements.push_back(
        structure("", "output_operand_alias",
                  {{"output_tuple_indices", list_of(Ints(row.begin() + 1, operand))},
                   {"operand_index", number_of(*operand)},
                   {"operand_tuple_indices", list_of(Ints(operand + 1, row.end()))}})
            .second);
  }
  out.emplace_back("output_operand_aliases",
                   Attribute{std::make_shared<const ArrayAttribute>(std::move(all))});
}

std::int64_t version_of(const Instruction& in) {
  constexpr std::pair<std::string_view, std::int64_t> kVersions[] = {
      {"API_VERSION_STATUS_RETURNING", 2},
      {"API_VERSION_STATUS_RETURNING_UNIFIED", 3},
      {"API_VERSION_TYPED_FFI", 4}};
  for (const auto& [word, number] : kVersions)
    if (in.word("api_version") == word) return number;
  // API_VERSION_ORIGINAL, and HLO that does not name a version.
  return 1;
}

// The configuration of the typed interface is an MLIR dictionary.
void add_config(const Instruction& in, std::int64_t version, std::vector<NamedAttribute>& out) {
  constexpr std::int64_t kTyped = 4;
  const std::string config = in.word("backend_config");
  if (version != kTyped) return out.push_back(text("backend_config", config));
  out.emplace_back("backend_config", parsed(config.empty() ? "{}" : config, in.written));
}

// XLA's CPU compiler calls TopK for what chlo.top_k is: values and indexes of the largest, in
// descending order.
bool convert_top_k_call(Converter& converter, const Instruction& in) {
  if (in.word("custom_call_target") != "TopK" || converter.operand_count() != 1 ||
      in.shape.parts.size() != 2 || in.shape.parts[0].dimensions.empty())
    return false;
  converter.emit_result("chlo.top_k", {&converter.single(0)},
                        {number("k", in.shape.parts[0].dimensions.back())});
  return true;
}

void convert_custom_call(Converter& converter, const Instruction& in) {
  if (convert_shardy_call(converter, in) || convert_top_k_call(converter, in)) return;
  const std::int64_t version = version_of(in);
  std::vector<NamedAttribute> attributes{
      text("call_target_name", in.word("custom_call_target")), number32("api_version", version),
      flag("has_side_effect", in.flag("custom_call_has_side_effect"))};
  // Metadata that StableHLO keeps as discardable attributes; the lowering reads the sharding of
  // known targets.
  add_config(in, version, attributes);
  add_layouts(in, attributes);
  add_aliases(in, attributes);
  if (const std::string sharding = in.word("sharding"); !sharding.empty())
    attributes.push_back(text("mhlo.sharding", sharding));
  if (const Words& words = in.words("frontend_attributes"); !words.empty())
    attributes.emplace_back("mhlo.frontend_attributes", dictionary_of(words));
  // A called computation stays a function with a name: what the target does with it is unknown
  // here.
  if (!in.called.empty()) {
    ArrayAttribute called;
    for (const std::uint32_t each : in.called)
      called.elements.push_back({SymbolAttribute{converter.function_for(each)}});
    attributes.emplace_back("called_computations",
                            Attribute{std::make_shared<const ArrayAttribute>(std::move(called))});
  }
  converter.emit_result("stablehlo.custom_call", converter.all_operands(), std::move(attributes));
}

}  // namespace

void add_transfers(ConvertTable& table) {
  table.emplace("infeed", convert_infeed);
  table.emplace("outfeed", convert_outfeed);
  table.emplace("recv", convert_recv);
  table.emplace("send", convert_send);
}

void add_custom_calls(ConvertTable& table) { table.emplace("custom-call", convert_custom_call); }

}  // namespace understudy::program::hlo
