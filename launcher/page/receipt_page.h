// SPDX-License-Identifier: Apache-2.0
// A receipt as one self-contained HTML page: no network, no script, light and dark colour scheme.
// Sections without data are omitted. Pure functions.
#pragma once

#include <optional>
#include <string>

#include "configs/receipt/receipt.h"
#include "configs/report/drill_report.h"

namespace understudy::launcher {

// `cold`: the receipt of the run that filled the cache; adds the restore proof. `drill`: the output
// of `rehearse --drill --json`; adds its table.
std::string receipt_page(const configs::Receipt& receipt,
                         const std::optional<configs::Receipt>& cold = std::nullopt,
                         const std::optional<configs::DrillReport>& drill = std::nullopt);

// Sections in files of their own. Empty if the receipt has no data for them.
std::string ladder_section(const configs::Receipt& receipt);
std::string canary_section(const configs::Receipt& receipt);
std::string preflight_section(const configs::Receipt& receipt);
std::string verdicts_section(const configs::Receipt& receipt);
std::string drill_section(const configs::DrillReport& drill);
std::string cache_section(const configs::Receipt& receipt);
std::string stress_section(const configs::Receipt& receipt);
std::string results_section(const configs::Receipt& receipt);
std::string gates_section(const configs::Receipt& receipt);
std::string environment_section(const configs::Receipt& receipt);
std::string pins_section(const configs::Receipt& receipt);
std::string slice_picture(const configs::Receipt& receipt);
std::string timeline_picture(const configs::Receipt& receipt);

// The CSS class with the colour of an emulated host: "host0".
std::string host_class(std::int64_t host);

}  // namespace understudy::launcher
