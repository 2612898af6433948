// SPDX-License-Identifier: Apache-2.0
// What a worker's last words rest on. Several workers tell of one failure, in any order; the one
// that is believed rests on the best evidence, whenever its words arrived. Pure functions.
#pragma once

#include <cstdint>
#include <string_view>

#include "configs/record.h"

namespace understudy::configs {

// Best first. own_error, mismatch and interrupted follow from the kind of the failure; the others
// are stated by the worker.
enum class Evidence : std::uint8_t {
  own_error,     // what the worker itself met, no peer involved
  mismatch,      // its collective and a peer's do not fit
  stopped,       // it saw the peer in process state T
  gone,          // it saw that the peer's process had ended; after a stop that may be clearing up
  no_progress,   // the peer did nothing for the whole of the patience
  peer_gave_up,  // hearsay: the peer had an error of its own, and tells of it itself
  interrupted,   // told to end: the clearing up after somebody else's end
};
std::string_view name_of(Evidence evidence);

// Of these words, by their `evidence` where they state one. A timeout that states none counts as
// no_progress.
Evidence evidence_of(const Failed& failed);

// The worker saw with its own eyes: all but peer_gave_up and interrupted.
bool is_first_hand(Evidence evidence);

}  // namespace understudy::configs
