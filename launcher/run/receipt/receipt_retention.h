// SPDX-License-Identifier: Apache-2.0
// Retention of receipts. Applies only to the default folder, and only to files that are receipts by
// name and content. Several processes may prune at the same time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ctime>
#include <limits>
#include <string>
#include <vector>

namespace understudy::launcher {

struct Environment;

// A receipt is removed only if it exceeds both limits.
struct ReceiptRule {
  std::uint64_t newest = 1000;
  std::uint64_t days = 30;
};

// The limits of UNDERSTUDY_RECEIPT_KEEP_NEWEST and UNDERSTUDY_RECEIPT_KEEP_DAYS, or the defaults.
// *Throws* Error{usage} if a value is not a whole number.
ReceiptRule receipt_rule(const Environment& environment);

// $XDG_STATE_HOME/understudy/receipts.
std::string receipt_folder(const Environment& environment);

struct PrunedReceipts {
  std::vector<std::string> removed;  // paths, oldest first
  std::uint64_t removed_bytes = 0;
  std::size_t kept = 0;
};

struct PruneRequest {
  ReceiptRule rule;
  std::time_t now = 0;
  bool dry_run = false;                                        // report, but do not remove
  std::size_t most = std::numeric_limits<std::size_t>::max();  // removals, the oldest first
};

// A missing folder has no receipts. *Throws* Error{system} if the folder cannot be read or a
// receipt cannot be removed.
PrunedReceipts prune_receipts(const std::string& folder, const PruneRequest& request);

}  // namespace understudy::launcher
