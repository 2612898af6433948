// SPDX-License-Identifier: Apache-2.0
// Passes descriptors to other processes of this machine over abstract unix sockets (SCM_RIGHTS).
// Abstract names vanish with their sockets: nothing stays in the file system.
#pragma once

#include <string>
#include <vector>

#include "worker/pod/control_channel.h"

namespace understudy::worker {

// Sends `descriptor` to every rank that lists this one in `wanted`, and returns one descriptor for
// each rank of `wanted`, in its order; the caller owns them. Collective: every rank of the pod
// calls it, each with its own list. *Throws* Error{system}, Error{timeout}.
std::vector<int> exchange_descriptors(ControlChannel& control_channel, const std::string& run_id,
                                      int descriptor, const std::vector<Rank>& wanted);

}  // namespace understudy::worker
