// SPDX-License-Identifier: Apache-2.0
#include "worker/gates/live_probe.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>
#include <sstream>

#include "configs/base/diagnosis_id.h"
#include "configs/base/error.h"
#include "configs/base/file.h"
#include "configs/launch/chip_spec.h"

namespace understudy::worker {
namespace {

// 8 x 8 ones: every element of the product is 8, exact in any precision the matrix unit uses.
// Small enough for any chip's HBM, large enough for a product of the matrix unit.
constexpr std::int64_t kEdge = 8;
using Square = std::array<float, kEdge * kEdge>;

// On the wire: the kind on a line of its own, as it contains blanks, then numbers.
std::string text_of(const DeviceReport& report) {
  return fmt::format("{}\n{} {} {}", report.kind, report.hbm_bytes, report.product,
                     fmt::join(report.at, " "));
}

DeviceReport parse_report(const std::string& text) {
  DeviceReport report;
  const std::size_t end = text.find('\n');
  report.kind = text.substr(0, end);
  std::istringstream in(text.substr(end + 1));
  in >> report.hbm_bytes >> report.product;
  // The text ends the loop; the number of axes belongs to the chip.
  for (std::int64_t axis = 0; in >> axis;) report.at.push_back(axis);
  return report;
}

// A difference from the contract and the name of its diagnosis; empty where there is none.
struct Finding {
  std::string words;
  std::string_view diagnosis;
};
// The order is that of usefulness: a missing or wrong device explains all later differences.
Finding judge(const DeviceReport& found, const DeviceReport& want) {
  if (found.kind.empty()) return {"found no device", name_of(DiagnosisId::chip_missing)};
  if (found.kind != want.kind)
    return {fmt::format("found device kind {}, expected {}", found.kind, want.kind),
            name_of(DiagnosisId::device_kind_differs)};
  if (found.at != want.at)
    return {fmt::format("found the chip at ({}), expected ({})", fmt::join(found.at, ","),
                        fmt::join(want.at, ",")),
            name_of(DiagnosisId::host_order_differs)};
  if (found.hbm_bytes != want.hbm_bytes)
    return {fmt::format("found {} bytes of HBM, expected {}", found.hbm_bytes, want.hbm_bytes),
            name_of(DiagnosisId::device_kind_differs)};
  if (found.product != want.product)
    return {
        fmt::format("computed {} as the test product, expected {}", found.product, want.product),
        name_of(DiagnosisId::chip_computes_wrong)};
  return {};
}

// Runtimes of frameworks, by the prefix of their file names.
constexpr std::array<std::string_view, 5> kRuntimes = {"libtpu", "_XLAC", "xla_extension",
                                                       "libjax_common", "libpjrt"};

}  // namespace

DeviceReport probe_device(Chip& chip, std::span<std::byte> hbm, const configs::RunPlan& plan,
                          Rank rank) {
  Square ones;
  ones.fill(1);
  constexpr std::size_t kBytes = sizeof(Square);
  std::array<std::byte, 2 * kBytes> instead{};  // for a chip with less HBM than the probe needs
  if (hbm.size() < instead.size()) hbm = instead;
  // The end of HBM, where no program's buffer has been placed yet.
  const std::span<std::byte> operand = hbm.last(kBytes);
  const std::span<std::byte> result = hbm.last(2 * kBytes).first(kBytes);
  std::memcpy(operand.data(), ones.data(), kBytes);
  Product product;
  product.m = product.n = product.k = kEdge;
  product.lhs.row_stride = product.rhs.row_stride = kEdge;
  chip.mxu->multiply(product, operand.data(), operand.data(), result.data(), chip.vmem);
  Square got;
  std::memcpy(got.data(), result.data(), kBytes);
  // The probe leaves HBM zero-filled, as it was.
  std::ranges::fill(hbm.last(2 * kBytes), std::byte{0});
  // Every element must be right; 0 stands for a product with unequal elements.
  const bool even = std::ranges::all_of(got, [&](float one) { return one == got.front(); });
  DeviceReport report;
  // From the plan, as an emulated chip has no driver to ask; a fault may change it afterwards.
  report.kind = configs::chip_spec(plan.chip).device_kind;
  report.at = plan.coordinates.at(static_cast<std::size_t>(rank.value));
  report.hbm_bytes = chip.hbm.capacity();
  report.product = even ? double{got.front()} : 0;
  return report;
}

std::string compare_devices(ControlChannel& control_channel, const DeviceReport& own,
                            const configs::RunPlan& plan, const configs::LaunchInputs* inputs,
                            std::optional<Rank>& culprit) {
  // A rank with the launch's inputs judges by these, not by the plan that it was sent.
  const std::string& chip = inputs != nullptr ? inputs->chip : plan.chip;
  DeviceReport want{configs::chip_spec(chip).device_kind, {}, plan.hbm_bytes, kProbeProduct};
  std::vector<std::string> words;
  std::string_view diagnosis;
  bool self = false;
  std::int64_t rank = 0;
  // All ranks judge all reports and come to the same verdict, so no further message is needed.
  for (const Bytes& bytes : control_channel.all_gather(bytes_of(text_of(own)), "the live probe")) {
    const auto at = static_cast<std::size_t>(rank);
    want.at =
        inputs != nullptr ? configs::coordinates_of(*inputs, Rank(rank)) : plan.coordinates.at(at);
    const Finding finding = judge(parse_report(worker::text_of(bytes)), want);
    if (!finding.words.empty()) {
      words.push_back(
          fmt::format("rank {} (host {}): {}", rank, plan.host_of.at(at).value, finding.words));
      if (diagnosis.empty()) diagnosis = finding.diagnosis;
      if (!culprit) culprit = Rank(rank);
      self = self || rank == control_channel.rank().value;
    }
    ++rank;
  }
  // A divergent rank fails by itself: it has no culprit elsewhere.
  // Evidence of one's own failure is stronger than that about another rank.
  if (self) culprit.reset();
  // A wrong chip specification concerns every rank: eight of them make the point.
  constexpr std::size_t kMost = 8;
  const std::size_t count = words.size();
  if (count > kMost) {
    words.resize(kMost);
    words.push_back(fmt::format("and {} more", count - kMost));
  }
  if (count > 0)
    throw Error(ErrorKind::protocol,
                fmt::format("the live probe failed: {}", fmt::join(words, "; ")))
        .diagnosed(diagnosis);
  return fmt::format("{} x {}, expected coordinates, test product correct", rank, want.kind);
}

std::vector<std::string> foreign_runtimes() {
  std::set<std::string> found;
  // The kernel's list of mappings shows a library however it was loaded: linked, dlopen()ed or
  // preloaded.
  std::istringstream maps(read_text_file("/proc/self/maps"));
  for (std::string line; std::getline(maps, line);) {
    const std::size_t slash = line.find('/');
    if (slash == std::string::npos) continue;
    const std::string path = line.substr(slash);
    const std::string name = path.substr(path.rfind('/') + 1);
    // Prefixes, since versions and suffixes vary (libtpu.so, xla_extension.so, ...).
    const bool foreign = std::ranges::any_of(
        kRuntimes, [&](std::string_view begin) { return name.starts_with(begin); });
    if (foreign) found.insert(path);
  }
  return {found.begin(), found.end()};
}

void guard_imports(bool several_allowed) {
  const std::vector<std::string> found = foreign_runtimes();
  if (found.empty()) return;
  Error error(ErrorKind::protocol,
              fmt::format("a second framework's TPU runtime is loaded in this process: {}",
                          fmt::join(found, ", ")));
  // Both cases are errors, with different names: the user allowed two runtimes, or did not know of
  // the second one.
  if (several_allowed)
    throw error.note("launch.multiple_libtpu allows it, but both runtimes would use the same chip")
        .diagnosed(name_of(DiagnosisId::libtpu_loaded_twice));
  throw error.diagnosed(name_of(DiagnosisId::second_framework));
}

}  // namespace understudy::worker
