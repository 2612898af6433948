// SPDX-License-Identifier: Apache-2.0
#include "launcher/rehearse/rehearsal.h"

#include <filesystem>
#include <fmt/format.h>

#include "configs/base/error.h"
#include "configs/launch/joined_slices.h"
#include "launcher/process/environment.h"
#include "launcher/rehearse/pins.h"
#include "launcher/rehearse/rehearsal_run.h"
#include "launcher/rehearse/restoration.h"
#include "launcher/rehearse/rung_run.h"
#include "launcher/run/receipt/receipt_file.h"

namespace understudy::launcher {
namespace {

namespace fs = std::filesystem;
using configs::Ladder;

// The same default as `doctor`, so that a machine that is ready for one is ready for the other.
constexpr const char* kDefaultSlice = "v6e-8";

bool names_none(const configs::SliceRequest& request) {
  return request.slice.empty() && request.topology.empty() && request.chip.empty();
}

}  // namespace

std::string ladder_path(const std::string& asked, const Environment& environment) {
  if (!asked.empty()) return asked;
  const fs::path path =
      fs::path(environment.self).parent_path() / "share/understudy/ladder/default.json";
  std::error_code code;
  if (fs::exists(path, code)) return path.string();
  throw Error(ErrorKind::system, fmt::format("ladder file not found: {}", path.string()))
      .note("it is part of the installation; choose another one with --ladder");
}

configs::Slice slice_of(const RunOptions& options) {
  configs::SliceRequest request = request_of(options.slice);
  if (names_none(request)) request.slice = kDefaultSlice;
  return configs::make_joined(request);
}

std::string leave_receipt(RehearsalEnd& end, const RunOptions& options,
                          const Environment& environment) {
  if (options.no_receipt) return "";
  const StoredReceipt stored = store_receipt(environment, options.receipt, end.receipt);
  if (!stored.error) end.document.receipt = stored.path;
  end.document.exit_code = exit_code_with(stored, static_cast<int>(end.document.exit_code));
  return stored.told;
}

// With --from the ladder is just the canary of the receipt.
RehearsalEnd rehearse(const RehearseOptions& options, const Environment& environment,
                      const Console& console) {
  RehearseOptions own = options;
  const configs::Slice slice = slice_of(options.run);
  Ladder ladder = options.from ? canary_of(*options.from, options.ladder, environment)
                               : climbable(ladder_path(options.ladder, environment),
                                           static_cast<std::int64_t>(slice.chips.size()));
  // So that every rung uses this slice, and none picks one by its own number of chips.
  if (names_none(own.run.slice.request))
    own.run.slice.request.slice = configs::joined_name(slice.slices, slice.name);
  return RehearsalRun(own, environment, console, slice, std::move(ladder)).run();
}

}  // namespace understudy::launcher
