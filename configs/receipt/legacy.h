// SPDX-License-Identifier: Apache-2.0
// Receipts of earlier versions, which had some facts twice under two names ("failure" and
// "failures", "chips" and "ranks", "compile" and "cache"). Pure functions.
#pragma once

#include <string>

namespace understudy::configs {

// The text of a receipt in the form of today; the text itself where it has that form, or is no
// receipt at all: then the reader finds the mistake.
std::string upgraded_receipt(const std::string& text);

}  // namespace understudy::configs
