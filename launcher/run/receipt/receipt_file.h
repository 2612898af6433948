// SPDX-License-Identifier: Apache-2.0
// Writes receipts. Call from the main thread.
#pragma once

#include <optional>
#include <string>

#include "configs/base/error.h"
#include "configs/receipt/receipt.h"

namespace understudy::launcher {

struct Environment;

struct StoredReceipt {
  std::string path;            // empty: not written
  std::optional<Error> error;  // why
  // The message for stderr in that case: verdict, failure, exit code and digest of the lost
  // receipt.
  std::string told;
};

// Writes the receipt to `wanted`, or to the default folder if that is empty, where receipts outside
// the rule of receipt_retention.h are then removed.
StoredReceipt store_receipt(const Environment& environment, const std::string& wanted,
                            const configs::Receipt& receipt);

// The exit code of a command: a success whose receipt could not be written is a failure.
int exit_code_with(const StoredReceipt& stored, int exit_code);

}  // namespace understudy::launcher
