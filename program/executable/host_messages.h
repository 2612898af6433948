// SPDX-License-Identifier: Apache-2.0
// Messages of a chip to and from its host process: callbacks of a framework.
#pragma once

#include <string_view>

#include "program/executable/process_groups.h"

namespace understudy::program {

// Set by a host process on a send or recv with is_host_transfer whose other end it is.
inline constexpr std::string_view kHostMessage = "understudy.host_message";
// The only pair of the Transfer that such an operation becomes is {kHostPeer, kHostPeer}.
inline constexpr ProcessId kHostPeer{-1};

}  // namespace understudy::program
