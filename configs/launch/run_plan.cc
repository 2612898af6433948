// SPDX-License-Identifier: Apache-2.0
#include "configs/launch/run_plan.h"

#include <algorithm>
#include <fmt/format.h>

#include "configs/json/fields.h"
#include "configs/launch/mesh_layout.h"

namespace understudy::configs {

constexpr std::string_view kRunPlanSchema = "understudy/run-plan/1";
template <class F, FieldsOf<PlannedArray> A>
void fields(F& field, A& array) {
  field("element", array.element);
  field("shape", array.shape);
  field("files", array.files);
  field("tile_of", array.tile_of);
  field("declared_replicated", array.declared_replicated);
  field("steps", array.steps);
}

template <class F, FieldsOf<PlannedSite> S>
void fields(F& field, S& site) {
  field("op", site.op);
  field("place", site.place);
  field("layout_constrained", site.layout_constrained);
}
template <>
inline constexpr bool kIsOneLine<PlannedSite> = true;

template <class F, FieldsOf<PlannedMemory> M>
void fields(F& field, M& memory) {
  field("hbm_peak_bytes", memory.hbm_peak_bytes);
  field("arguments_bytes", memory.arguments_bytes);
  field("results_bytes", memory.results_bytes);
  field("temporaries_bytes", memory.temporaries_bytes);
  field("constants_bytes", memory.constants_bytes);
  field("instructions_bytes", memory.instructions_bytes);
  field("donated_bytes", memory.donated_bytes);
  field("host_bytes", memory.host_bytes);
}

template <class F, FieldsOf<PlannedProgram> P>
void fields(F& field, P& program) {
  field("ranks", program.ranks);
  field("steps", program.steps);
  field("path", program.path);
  field("file", program.file);
  field("digest", program.digest);
  field("sites", program.sites);
  field("difference", program.difference);
  field("arguments", program.arguments);
}

// Over 40 lines: the list of all fields of the document.
template <class F, FieldsOf<RunPlan> P>
void fields(F& field, P& plan) {
  field("run_id", plan.run_id);
  field("contract_digest", plan.contract_digest);
  field("contract_sections", plan.contract_sections);
  field("identity_digests", plan.identity_digests);
  field("slice", plan.slice);
  field("slices", plan.slices);
  field("chip", plan.chip);
  field("chips", plan.chips);
  field("host_of", plan.host_of);
  field("slice_shape", plan.slice_shape);
  field("slice_wraps", plan.slice_wraps);
  field("coordinates", plan.coordinates);
  field("hbm_bytes", plan.hbm_bytes);
  field("vmem_bytes", plan.vmem_bytes);
  field("host_bytes", plan.host_bytes);
  field("premapped_bytes", plan.premapped_bytes);
  field("memory", plan.memory);
  field("program_path", plan.program_path);
  field("program_file", plan.program_file);
  field("program_digest", plan.program_digest);
  field("program_source_digest", plan.program_source_digest);
  field("sites", plan.sites);
  field("other_programs", plan.other_programs);
  field("command_socket", plan.command_socket);
  field("host_processes", plan.host_processes);
  field("launch_timeout_seconds", plan.launch_timeout_seconds);
  field("numerics", plan.numerics);
  field("collectives", plan.collectives);
  field("reproducible", plan.reproducible);
  field("disabled_passes", plan.disabled_passes);
  field("replicas", plan.replicas);
  field("partitions", plan.partitions);
  field("device_order", plan.device_order);
  field("steps", plan.steps);
  field("carry", plan.carry);
  field("shape_guard", plan.shape_guard);
  field("arguments", plan.arguments);
  field("results", plan.results);
  field("cache_dir", plan.cache_dir);
  field("cache_policy", plan.cache_policy);
  field("cache_lock", plan.cache_lock);
  field("cache_max_bytes", plan.cache_max_bytes);
  field("cache_trust", plan.cache_trust);
  field("timeout_seconds", plan.timeout_seconds);
  field("poison", plan.poison);
  field("looks_for_non_finite", plan.looks_for_non_finite);
  field("faults", plan.faults);
}

namespace {

constexpr std::size_t kAxes = 3;

// Every chip has a tile, and every tile a file, if there are files.
void check_array(const JsonReader& in, const PlannedArray& array, std::int64_t chips) {
  for (const JsonReader& length : in.at("shape").items()) length.whole();
  if (static_cast<std::int64_t>(array.tile_of.size()) != chips) {
    in.at("tile_of").fail(fmt::format("expected a tile for each of {} chips", chips));
  }
  in.at("steps").positive();
  if (array.files.size() % static_cast<std::size_t>(array.steps) != 0)
    in.at("files").fail(
        fmt::format("expected the same number of files for each of {} steps", array.steps));
  const std::size_t tiles = array.files_of_step(1);
  for (const JsonReader& tile : in.at("tile_of").items()) {
    const bool outside = !array.files.empty() && tile.whole() >= tiles;
    if (outside) tile.fail(fmt::format("expected a tile below {}", tiles));
  }
}

void check_arrays(const JsonReader& in, const std::vector<PlannedArray>& arrays,
                  std::int64_t chips) {
  const std::vector<JsonReader> items = in.items();
  for (std::size_t i = 0; i < items.size(); ++i) check_array(items[i], arrays[i], chips);
}

// An argument has its data from files in every step, or from one set of files.
void check_steps(const JsonReader& in, const RunPlan& plan) {
  const std::vector<JsonReader> items = in.items();
  for (std::size_t i = 0; i < items.size(); ++i)
    if (plan.arguments[i].steps != 1 && plan.arguments[i].steps != plan.steps)
      items[i].at("steps").fail(fmt::format("expected 1 or the {} steps of the run", plan.steps));
}

void check_carry(const JsonReader& in, const RunPlan& plan) {
  for (const JsonReader& item : in.items()) {
    const std::vector<JsonReader> pair = item.items();
    if (pair[0].whole() >= plan.results.size()) pair[0].fail("no such result");
    if (pair[1].whole() >= plan.arguments.size()) pair[1].fail("no such argument");
  }
}

void check_places(const JsonReader& in, const RunPlan& plan) {
  for (const JsonReader& length : in.at("slice_shape").items()) length.positive();  // a divisor
  for (const char* key : {"slice_shape", "slice_wraps"}) {
    if (in.at(key).items().size() != kAxes) in.at(key).fail("expected x, y and z");
  }
  if (static_cast<std::int64_t>(plan.coordinates.size()) != plan.chips) {
    in.at("coordinates").fail(fmt::format("expected a place for each of {} chips", plan.chips));
  }
  for (const JsonReader& place : in.at("coordinates").items()) {
    if (place.items().size() != kAxes) place.fail("expected x, y and z");
  }
}

// Checks what the types cannot express. Workers index by these numbers without further checks.
void check(const JsonReader& in, const RunPlan& plan) {
  static const std::vector<std::string> kNumerics = {"tpu", "ieee"};
  static const std::vector<std::string> kGuards = {"strict", "lenient"};
  for (const char* key : {"slices", "chips", "replicas", "partitions", "steps", "hbm_bytes"}) {
    in.at(key).positive();
  }
  if (static_cast<std::int64_t>(plan.host_of.size()) != plan.chips) {
    in.at("host_of").fail(fmt::format("expected a host for each of {} chips", plan.chips));
  }
  check_places(in, plan);
  for (const JsonReader& program : in.at("other_programs").items())
    for (const JsonReader& rank : program.at("ranks").items())
      if (rank.integer() < 0 || rank.integer() >= plan.chips) rank.fail("no such rank");
  if (plan.replicas * plan.partitions != plan.chips) {
    in.at("chips").fail(
        fmt::format("expected {} replicas x {} partitions", plan.replicas, plan.partitions));
  }
  if (!plan.device_order.empty() && !is_device_order(plan.device_order, plan.chips))
    in.at("device_order").fail(fmt::format("expected every rank of {} once", plan.chips));
  in.at("numerics").one_of(kNumerics, "a numerics mode");
  in.at("shape_guard").one_of(kGuards, "a shape guard");
  in.at("timeout_seconds").positive_number();
  in.at("launch_timeout_seconds").positive_number();
  check_arrays(in.at("arguments"), plan.arguments, plan.chips);
  check_steps(in.at("arguments"), plan);
  check_arrays(in.at("results"), plan.results, plan.chips);
  check_carry(in.at("carry"), plan);
}

}  // namespace

// Programs of single steps are for all ranks and are found by step_program_of().
const PlannedProgram* other_program_of(const RunPlan& plan, Rank rank) {
  for (const PlannedProgram& program : plan.other_programs)
    if (program.steps.empty() && std::ranges::count(program.ranks, std::int64_t{rank.value}) > 0)
      return &program;
  return nullptr;
}

const PlannedProgram* step_program_of(const RunPlan& plan, std::int64_t step) {
  for (const PlannedProgram& program : plan.other_programs)
    if (std::ranges::count(program.steps, step) > 0) return &program;
  return nullptr;
}

// Ranks go slice by slice, and a host is in one slice: that of its first rank.
std::optional<std::int64_t> slice_of_host(const RunPlan& plan, HostId host) {
  const auto first = std::ranges::find(plan.host_of, host);
  if (plan.slices == 1 || first == plan.host_of.end()) return std::nullopt;
  const std::int64_t each = plan.slice_shape[0] * plan.slice_shape[1] * plan.slice_shape[2];
  return (first - plan.host_of.begin()) / each;
}

std::string chip_socket_of(Rank rank) { return fmt::format("chip-{}.sock", rank.value); }

// Ranks are in process order, which need not be the order of chip ids.
void place_ranks(RunPlan& plan, const Slice& slice) {
  plan.slice_shape.assign(slice.shape.begin(), slice.shape.end());
  plan.slice_wraps.assign(slice.wraps.begin(), slice.wraps.end());
  plan.slices = slice.slices;
  for (std::int64_t rank = 0; rank < plan.chips; ++rank) {
    const Chip& chip = slice.chips.at(static_cast<std::size_t>(rank));
    plan.host_of.push_back(chip.host);
    plan.coordinates.emplace_back(chip.at.begin(), chip.at.end());
  }
}

std::string to_json(const RunPlan& plan) {
  return document_of(plan, kRunPlanSchema, JsonWriter::Layout::readable);
}

RunPlan read_run_plan(const std::string& text, const std::string& path) {
  const JsonReader in = JsonReader::parse(text, path);
  const auto plan = read_document<RunPlan>(in, kRunPlanSchema);
  check(in, plan);
  return plan;
}

}  // namespace understudy::configs
