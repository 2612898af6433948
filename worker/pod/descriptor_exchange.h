// SPDX-License-Identifier: Apache-2.0
// Hands descriptors to other processes of this machine over abstract unix sockets (SCM_RIGHTS).
// Nothing stays in the file system.
#pragma once

#include <string>
#include <vector>

#include "worker/pod/control_channel.h"

namespace understudy::worker {

// Gives `descriptor` to every rank that wants it and returns one descriptor for each rank of
// `wanted`, in its order; the caller owns them. Collective: every rank of the pod calls it, with
// its own wishes. *Throws* Error{system}.
std::vector<int> exchange_descriptors(ControlChannel& control_channel, const std::string& run_id,
                                      int descriptor, const std::vector<Rank>& wanted);

}  // namespace understudy::worker
