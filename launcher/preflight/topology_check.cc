// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <set>

#include "configs/base/error.h"
#include "configs/base/units.h"
#include "launcher/preflight/checks.h"

namespace understudy::launcher {
namespace {

using configs::CompilerAnswer;
using configs::CompilerDevice;
using configs::PreflightDifference;
using configs::Slice;

// libtpu's words for a chip name that it does not know.
constexpr const char* kNoName = "Invalid TPU external name";

configs::Coordinates coordinates_of(const CompilerDevice& device) {
  configs::Coordinates at{};
  std::copy_n(device.coords.begin(), std::min<std::size_t>(device.coords.size(), 3), at.begin());
  return at;
}

std::int64_t processes_of(const CompilerAnswer& answer) {
  std::set<std::int64_t> processes;
  for (const CompilerDevice& device : answer.devices) processes.insert(device.process);
  return static_cast<std::int64_t>(processes.size());
}

// The first device of every chip, by slice and coordinates.
using ByPlace = std::map<std::pair<std::int64_t, configs::Coordinates>, const CompilerDevice*>;
// Coordinates and not ids: ids may count cores, and joined slices have gaps between their ids.
ByPlace by_place(const CompilerAnswer& answer) {
  ByPlace places;
  for (const CompilerDevice& device : answer.devices)
    if (device.core == 0)
      places.try_emplace({device.slice.value_or(0), coordinates_of(device)}, &device);
  return places;
}

class TopologyComparison {
 public:
  TopologyComparison(const Slice& slice, std::int64_t slices, const CompilerAnswer& answer)
      : slice_(slice), slices_(slices), answer_(answer) {}

  std::vector<PreflightDifference> run() {
    const auto chips = static_cast<std::int64_t>(slice_.chips.size()) * slices_;
    devices(chips);
    number("hosts", slice_.hosts * slices_, processes_of(answer_), "");
    kind();
    chip_by_chip();
    memory();
    wraps();
    return std::move(out_);
  }

 private:
  void number(std::string what, std::int64_t ours, std::int64_t theirs, std::string why) {
    if (ours != theirs)
      out_.push_back(
          {std::move(what), std::to_string(ours), std::to_string(theirs), std::move(why)});
  }

  void devices(std::int64_t chips) {
    const auto listed = static_cast<std::int64_t>(answer_.devices.size());
    std::int64_t cores = 1;
    for (const CompilerDevice& device : answer_.devices) cores = std::max(cores, device.core + 1);
    const bool by_core = cores > 1 && listed == chips * cores;
    number("devices", chips, listed,
           by_core ? fmt::format("the library lists {} TensorCores of a chip as devices; "
                                 "understudy runs a chip as one device",
                                 cores)
                   : "");
  }

  void kind() {
    const std::string theirs = answer_.devices.empty() ? "" : answer_.devices.front().kind;
    if (theirs != slice_.chip.device_kind)
      out_.push_back({"device kind", slice_.chip.device_kind, theirs, ""});
  }

  // The id and the host of each chip; the first difference of each, with the number of all.
  void chip_by_chip() {
    const ByPlace places = by_place(answer_);
    std::int64_t missing = 0, ids = 0, hosts = 0;
    PreflightDifference of_missing, of_id, of_host;
    for (std::int64_t slice = 0; slice < slices_; ++slice)
      for (const configs::Chip& chip : slice_.chips) {
        const std::string where = fmt::format("({})", fmt::join(chip.at, ","));
        const auto found = places.find({slice, chip.at});
        if (found == places.end()) {
          if (missing++ == 0) of_missing = {"chip at " + where, "present", "not listed", ""};
          continue;
        }
        const CompilerDevice& device = *found->second;
        // Ids of joined slices have the slice in front: 100000, 200000. Hosts count on.
        const std::int64_t id = slices_ == 1 ? device.id : device.id % 100'000;
        const std::int64_t host = chip.host.value + slice * slice_.hosts;
        if (id != chip.id.value && ids++ == 0)
          of_id = {"id of the chip at " + where, std::to_string(chip.id.value), std::to_string(id),
                   id_reason()};
        if (device.process != host && hosts++ == 0)
          of_host = {"host of the chip at " + where, std::to_string(host),
                     std::to_string(device.process), ""};
      }
    for (const auto& [count, one] :
         {std::pair(missing, of_missing), std::pair(ids, of_id), std::pair(hosts, of_host)}) {
      if (count == 0) continue;
      out_.push_back(one);
      if (count > 1) out_.back().what += fmt::format(" (and {} more)", count - 1);
    }
  }

  std::string id_reason() const {
    const bool by_core = std::ranges::any_of(
        answer_.devices, [](const CompilerDevice& device) { return device.core > 0; });
    return by_core ? "the library counts TensorCores, understudy counts chips" : "";
  }

  void memory() {
    std::optional<std::int64_t> least;
    for (const CompilerDevice& device : answer_.devices)
      if (device.memory_bytes) least = std::min(least.value_or(INT64_MAX), *device.memory_bytes);
    // The chip with the least memory limits a program that runs on all.
    if (!least || *least < 0) return;
    const auto theirs = static_cast<std::uint64_t>(*least);
    const std::uint64_t ours = slice_.chip.hbm_bytes;
    if (theirs == ours) return;
    // The runtime keeps a part for itself: 0.25 GiB of the 16 GiB of a v5e.
    constexpr double kKept = 0.1;
    const bool kept = theirs<ours&& static_cast<double>(theirs)>(1 - kKept) * double(ours);
    const bool by_core = ours > theirs && answer_.devices.size() > slice_.chips.size();
    out_.push_back({"HBM for a program", bytes_text(ours), bytes_text(theirs),
                    kept      ? "the runtime keeps the rest for itself"
                    : by_core ? "the library counts the part of one TensorCore"
                    : theirs > ours && static_cast<double>(theirs) < (1 + kKept) * double(ours)
                        ? "the data sheet counts in GB, the library in GiB"
                        : ""});
  }

  void wraps() {
    const auto found = answer_.attributes.find("wrap");
    if (found == answer_.attributes.end()) return;
    const std::string ours =
        fmt::format("{:d},{:d},{:d}", slice_.wraps[0], slice_.wraps[1], slice_.wraps[2]);
    if (ours == found->second) return;
    // An axis of two chips has one neighbour either way.
    bool only_short = true;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const bool theirs = found->second.size() > 2 * axis && found->second[2 * axis] == '1';
      if (slice_.wraps[axis] != theirs && slice_.shape[axis] > 2) only_short = false;
    }
    out_.push_back(
        {"wraparound of x,y,z", ours, found->second,
         only_short ? "wrap-around makes no difference on an axis of one or two chips" : ""});
  }

  const Slice& slice_;
  const std::int64_t slices_;
  const CompilerAnswer& answer_;
  std::vector<PreflightDifference> out_;
};

}  // namespace

TopologySeen topology_of(TpuCompiler& compiler, const Slice& slice, std::int64_t slices) {
  TopologySeen seen;
  seen.request.command = "topology";
  seen.request.slices = slices;
  seen.request.chips_per_host.assign(slice.host_shape.begin(), slice.host_shape.end());
  // The library calls v7x "tpu7x", which is the name of its accelerator type.
  for (const std::string& name : {slice.chip.name, slice.chip.accelerator_type}) {
    if (name.empty()) continue;
    seen.request.topology =
        fmt::format("{}:{}", name, configs::shape_text(slice.chip, slice.shape));
    seen.answer = compiler.ask(seen.request).reply.answer;
    const auto& error = seen.answer.error;
    if (!error || error->message.find(kNoName) == std::string::npos) break;
  }
  const ByPlace places = by_place(seen.answer);
  for (std::int64_t one = 0; one < slices; ++one)
    for (const configs::Chip& chip : slice.chips)
      // In the order of our ranks, so that the index of a device in this list is a rank.
      if (const auto found = places.find({one, chip.at}); found != places.end())
        seen.devices.push_back(found->second->id);
  return seen;
}

std::vector<PreflightDifference> differences_of(const Slice& slice, std::int64_t slices,
                                                const CompilerAnswer& answer) {
  return TopologyComparison(slice, slices, answer).run();
}

configs::PreflightTopology check_topology(TpuCompiler& compiler, const Slice& slice,
                                          std::int64_t slices) {
  configs::PreflightTopology out;
  out.slices = slices;
  try {
    const TopologySeen seen = topology_of(compiler, slice, slices);
    out.name = seen.request.topology;
    out.chips_per_host = seen.request.chips_per_host;
    if (seen.answer.error) {
      out.status = "refused";
      out.words = seen.answer.error->message;
      return out;
    }
    out.devices = static_cast<std::int64_t>(seen.answer.devices.size());
    out.processes = processes_of(seen.answer);
    if (out.devices > 0) out.device_kind = seen.answer.devices.front().kind;
    for (const CompilerDevice& device : seen.answer.devices)
      if (device.memory_bytes && *device.memory_bytes > 0)
        out.hbm_bytes = static_cast<std::uint64_t>(*device.memory_bytes);
    out.differences = differences_of(slice, slices, seen.answer);
    // Without the launch's bounds: what a process that sets none would see.
    // A difference here is not an error of the launch: it shows why the variable is needed.
    configs::CompilerRequest bare = seen.request;
    bare.chips_per_host.clear();
    const CompilerAnswer by_default = compiler.ask(bare).reply.answer;
    const std::int64_t processes = processes_of(by_default);
    if (!by_default.error && processes != out.processes)
      out.differences.push_back(
          {"hosts without TPU_CHIPS_PER_HOST_BOUNDS", std::to_string(out.processes),
           std::to_string(processes),
           "machines of both sizes exist; the launch sets the variable for its own"});
    out.status = out.differences.empty() ? "agrees" : "differs";
  } catch (const Error& error) {
    out.status = "not checked";
    out.words = error.message();
  }
  return out;
}

}  // namespace understudy::launcher
