// SPDX-License-Identifier: Apache-2.0
#include "configs/receipt/run_document.h"

#include "configs/json/fields.h"
#include "configs/launch/mesh_fields.h"
#include "configs/receipt/partition_fields.h"

namespace understudy::configs {
namespace {

// Most keys are written by hand instead of with field lists: they are an interface of their own,
// and must not change when the receipt does. What the partitioner did and where axes of the mesh
// are has the same fields as in the receipt.
class RunDocumentWriter {
 public:
  template <class T>
  void member(std::string_view key, const T& value) {
    out.key(key);
    write_value(out, value);
  }

  void write_compile(const std::optional<CompileSeen>& compile) {
    out.key("compile");
    out.begin_object();
    member("cached", compile ? std::optional(compile->cached) : std::nullopt);
    member("wall_seconds", compile ? std::optional(compile->wall_seconds) : std::nullopt);
    out.end_object();
  }

  void write_step(const StepSeen& step) {
    out.begin_object();
    member("index", step.index);
    member("wall_seconds", step.wall_seconds);
    member("emulated_seconds", step.emulated_seconds);
    out.key("scalars");
    out.begin_array();
    for (const auto& [index, value] : step.scalars) {
      out.begin_object();
      member("index", index);
      member("value", value);
      out.end_object();
    }
    out.end_array();
    out.end_object();
  }

  // `distinct_values` appears only if something is wrong; all other keys are always there.
  void write_result(const ResultReceipt& result) {
    out.begin_object();
    member("index", result.index);
    member("name", result.name);
    member("dtype", result.dtype ? *result.dtype : result.element);
    member("shape", result.shape);
    member("digest", result.digest);
    const auto& comparison = result.comparison;
    member("max_abs_error", comparison ? std::optional(comparison->max_abs_error) : std::nullopt);
    member("max_rel_error", comparison ? std::optional(comparison->max_rel_error) : std::nullopt);
    member("ok", comparison ? std::optional(comparison->ok) : std::nullopt);
    const auto& ieee = result.comparison_ieee;
    member("ok_with_ieee", ieee ? std::optional(ieee->ok) : std::nullopt);
    member("nans", result.nans);
    member("infinities", result.infinities);
    member("tile_of", result.tile_of);
    member("read_before_reduction", result.read_before_reduction);
    // Only where chips that should agree do not.
    if (result.distinct_values.value_or(1) > 1) member("distinct_values", *result.distinct_values);
    out.end_object();
  }

  void write_collective(const CollectiveSeen& seen) {
    out.begin_object();
    member("kind", seen.kind);
    member("algorithm", seen.algorithm);
    member("count", seen.count);
    member("calls", seen.calls);
    member("bytes", seen.bytes);
    member("messages_sent_per_chip", seen.messages_sent_per_chip);
    member("bytes_sent_per_chip", seen.bytes_sent_per_chip);
    out.end_object();
  }

  void write_failure(const ReceiptFailure* failure) {
    out.key("failure");
    if (failure == nullptr) return out.null();
    out.begin_object();
    member("kind", failure->kind);
    member("rank", failure->rank);
    member("host", failure->host);
    member("phase", failure->phase);
    member("op", failure->op);
    member("place", failure->place);
    member("python", failure->python);
    member("message", failure->message);
    member("first_to_die", failure->rank_first);
    member("process", failure->process);
    member("signal", failure->signal);
    out.end_object();
  }

  void write_non_finite(const std::optional<NonFinite>& seen) {
    out.key("non_finite");
    if (!seen) return out.null();
    out.begin_object();
    member("results", seen->results);
    member("op", seen->op);
    member("place", seen->place);
    member("python", seen->python);
    member("rank", seen->rank);
    member("step", seen->step);
    member("argument", seen->argument);
    member("message", seen->message);
    out.end_object();
  }

  template <class T>
  void list(std::string_view key, const std::vector<T>& values,
            void (RunDocumentWriter::*write)(const T&)) {
    out.key(key);
    out.begin_array();
    for (const T& value : values) (this->*write)(value);
    out.end_array();
  }

  // Values in host memory, and copies between host and chip, all chips together.
  void write_host_side(const Receipt& receipt) {
    out.key("host_peak_bytes");
    out.begin_object();
    member("predicted", receipt.host_peak_bytes.predicted);
    member("observed", receipt.host_peak_bytes.observed);
    out.end_object();
    out.key("pcie");
    out.begin_object();
    constexpr std::pair<const char*, const char*> kCounters[] = {
        {"to_chip", "PcieToChip"},
        {"to_chip_bytes", "PcieToChipBytes"},
        {"to_host", "PcieToHost"},
        {"to_host_bytes", "PcieToHostBytes"}};
    for (const auto& [key, counter] : kCounters) {
      std::optional<std::int64_t> value;
      if (receipt.counters && receipt.counters->contains(counter))
        value = receipt.counters->at(counter);
      member(key, value);
    }
    out.end_object();
  }

  JsonWriter out{JsonWriter::Layout::readable};
};

}  // namespace

std::string run_document(const Receipt& receipt, const std::string& receipt_path) {
  RunDocumentWriter document;
  document.out.begin_object();
  document.member("schema", std::string("understudy/run/2"));
  document.member("slice", receipt.slice);
  document.member("chips", receipt.chip_count);
  document.member("hosts", receipt.host_count);
  document.member("program_digest", receipt.program.digest);
  document.member("device_order", receipt.program.device_order);
  // Where the axes of the program's mesh lie in the slice.
  document.member("mesh", receipt.mesh.value_or(std::vector<MeshAxisPlace>()));
  // What XLA's partitioner did; null: the program was that of a chip already.
  document.member("partition", receipt.partition);
  document.write_compile(receipt.compile);
  document.list("steps", receipt.steps, &RunDocumentWriter::write_step);
  document.list("results", receipt.results, &RunDocumentWriter::write_result);
  document.out.key("hbm_peak_bytes");
  document.out.begin_object();
  document.member("predicted", receipt.hbm_peak_bytes.predicted);
  document.member("observed", receipt.hbm_peak_bytes.observed);
  document.member("not_as_planned", receipt.hbm_peak_bytes.not_as_planned);
  document.out.end_object();
  document.write_host_side(receipt);
  if (receipt.collectives) {
    document.list("collectives", *receipt.collectives, &RunDocumentWriter::write_collective);
  } else {
    document.member("collectives", std::optional<std::string>());
  }
  document.write_non_finite(receipt.non_finite);
  document.write_failure(receipt.failure());
  document.member("receipt", receipt_path.empty() ? std::nullopt : std::optional(receipt_path));
  document.member("exit_code", receipt.exit_code);
  document.out.end_object();
  return document.out.take();
}

}  // namespace understudy::configs
