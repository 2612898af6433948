// SPDX-License-Identifier: Apache-2.0
// How long receipts are kept: in the default folder only, and only files that are receipts by their
// name and their content. Several processes may do this at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ctime>
#include <limits>
#include <string>
#include <vector>

namespace understudy::launcher {

struct Environment;

// A receipt is removed only where it is beyond both bounds.
struct ReceiptRule {
  std::uint64_t newest = 1000;
  std::uint64_t days = 30;
};

// What UNDERSTUDY_RECEIPT_KEEP_NEWEST and UNDERSTUDY_RECEIPT_KEEP_DAYS say, else the default.
// *Throws* Error{usage} for one that is no whole number.
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
  bool dry_run = false;                                        // only say what would go
  std::size_t most = std::numeric_limits<std::size_t>::max();  // removals, the oldest first
};

// A folder that does not exist has no receipts. *Throws* Error{system} where the folder cannot be
// read or a receipt cannot be removed.
PrunedReceipts prune_receipts(const std::string& folder, const PruneRequest& request);

}  // namespace understudy::launcher
