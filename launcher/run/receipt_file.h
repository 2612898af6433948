// SPDX-License-Identifier: Apache-2.0
// Where receipts go. Call from the main thread.
#pragma once

#include <optional>
#include <string>

#include "configs/base/error.h"
#include "configs/receipt/receipt.h"

namespace understudy::launcher {

struct Environment;

struct StoredReceipt {
  std::string path;            // empty: it could not be written
  std::optional<Error> error;  // why
  // In that case what it says, for stderr: verdict, failure, exit code and the digest of its text.
  std::string told;
};

// Writes it to `wanted`, or under $XDG_STATE_HOME where that is empty; there receipts that are
// beyond the rule of receipt_retention.h go.
StoredReceipt store_receipt(const Environment& environment, const std::string& wanted,
                            const configs::Receipt& receipt);

// Of a command whose receipt is stored: a success without its receipt is none.
int exit_code_with(const StoredReceipt& stored, int exit_code);

}  // namespace understudy::launcher
