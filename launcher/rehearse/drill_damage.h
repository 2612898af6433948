// SPDX-License-Identifier: Apache-2.0
// The damage that drills do: mismatched programs, corrupted cache files, wrong expected results.
// Each function prepares the world of its drill, running programs first if needed. Call from the
// main thread.
#pragma once

#include <string>
#include <vector>

#include "launcher/rehearse/drill.h"

namespace understudy::launcher {

using Words = std::vector<std::string>;

void other_order(const DrillWorld& world, const Words& words);
void other_shape(const DrillWorld& world, const Words& words);
void other_groups(const DrillWorld& world, const Words& words);
void other_layout(const DrillWorld& world, const Words& words);
void absent_sum(const DrillWorld& world, const Words& words);
void extra_sum(const DrillWorld& world, const Words& words);
void uneven_batches(const DrillWorld& world, const Words& words);
void unknown_custom_call(const DrillWorld& world, const Words& words);
void wrong_types(const DrillWorld& world, const Words& words);
void local_metric(const DrillWorld& world, const Words& words);
void half_reduced_metric(const DrillWorld& world, const Words& words);
void wrong_expectation(const DrillWorld& world, const Words& words);
void flipped_bit(const DrillWorld& world, const Words& words);
void torn_entry(const DrillWorld& world, const Words& words);
void empty_entry(const DrillWorld& world, const Words& words);
void held_lock(const DrillWorld& world, const Words& words);
void filled_cache(const DrillWorld& world, const Words& words);
void read_only_folder(const DrillWorld& world, const Words& words);
void full_disk(const DrillWorld& world, const Words& words);
void file_for_folder(const DrillWorld& world, const Words& words);
void file_for_host_folder(const DrillWorld& world, const Words& words);

}  // namespace understudy::launcher
