// SPDX-License-Identifier: Apache-2.0
// The output of `understudy run --json`: the main parts of the receipt with stable keys
// (understudy/run/2, configs/schema/run.json). Pure function.
#pragma once

#include <string>

#include "configs/receipt/receipt.h"

namespace understudy::configs {

// `receipt_path`: the path of the written receipt, empty if there is none.
std::string run_document(const Receipt& receipt, const std::string& receipt_path);

}  // namespace understudy::configs
