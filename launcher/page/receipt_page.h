// SPDX-License-Identifier: Apache-2.0
// A receipt as one HTML page that needs nothing else: no network, no script; readable in light and
// dark. What the receipt does not tell is left out. Pure functions.
#pragma once

#include <optional>
#include <string>

#include "configs/receipt/receipt.h"
#include "configs/report/drill_report.h"

namespace understudy::launcher {

// `cold`: the receipt of the run that filled the cache; the page then has the restore proof.
// `drill`: what `rehearse --drill --json` printed, for a table of it.
std::string receipt_page(const configs::Receipt& receipt,
                         const std::optional<configs::Receipt>& cold = std::nullopt,
                         const std::optional<configs::DrillReport>& drill = std::nullopt);

// Parts of it, in files of their own: the chips in their slice as SVG, and each chip's start and
// steps on one line. Empty where nothing is known.
std::string ladder_section(const configs::Receipt& receipt);
std::string canary_section(const configs::Receipt& receipt);
std::string verdicts_section(const configs::Receipt& receipt);
std::string drill_section(const configs::DrillReport& drill);
std::string cache_section(const configs::Receipt& receipt);
std::string stress_section(const configs::Receipt& receipt);
std::string gates_section(const configs::Receipt& receipt);
std::string environment_section(const configs::Receipt& receipt);
std::string pins_section(const configs::Receipt& receipt);
std::string slice_picture(const configs::Receipt& receipt);
std::string timeline_picture(const configs::Receipt& receipt);

// The class of the page's style that colours what belongs to an emulated host: "host0".
std::string host_class(std::int64_t host);

}  // namespace understudy::launcher
