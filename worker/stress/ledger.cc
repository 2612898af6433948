// SPDX-License-Identifier: Apache-2.0
#include "worker/stress/ledger.h"

#include <algorithm>

#include "cache/envelope.h"
#include "cache/file_system.h"
#include "cache/stand_in.h"

namespace understudy::worker {

std::vector<KeyReport> settle(const StressSetup& setup, const Contender& contender,
                              ContenderMemory& memory, std::int32_t epoch,
                              const std::vector<bool>& damaged) {
  const std::string folder = damaged.empty() ? "" : folder_path(setup, contender);
  std::vector<KeyReport> reports(memory.counts().size());
  for (std::size_t key = 0; key < reports.size(); ++key) {
    KeyReport& report = reports[key];
    KeyCount& count = memory.counts()[key];
    // Counts are taken out, not copied: a second settlement after a cold start counts from zero.
    report.compiles = count.compiles.exchange(0);
    report.bad_reads = count.bad_reads.exchange(0);
    // A write of an earlier epoch was deleted with everything else; its absence is no loss.
    report.written = count.written_epoch.load() == epoch + 1;
    if (folder.empty()) continue;
    report.damaged = damaged[key];
    const auto number = static_cast<std::int64_t>(key);
    const auto entry = cache::machine_files().read(folder + "/" + entry_file(number));
    // Read around the fault layer: what is on the disk counts, not what a lagging mount shows.
    if (!entry) continue;
    report.bytes = entry->size();
    const auto parts = named_parts(cache::stand_in_parts(number));
    // The same check as a reader's: digest, fingerprint and key.
    const bool whole = cache::open(*entry, parts).refusal == cache::Refusal::none;
    report.seen = whole ? KeyReport::good : KeyReport::bad;
  }
  return reports;
}

void Ledger::add(const StressSetup& setup, const std::vector<std::vector<KeyReport>>& by_rank,
                 bool forgives) {
  const auto keys = static_cast<std::size_t>(setup.plan.keys);
  // Ranks that share a folder are adjacent; the first of them keeps it.
  // Numbers are given to hosts in blocks (host_of), and policies put folders per process, host or
  // pod.
  for (std::size_t first = 0; first < by_rank.size();) {
    const auto keeps = [&](std::size_t rank) {
      return keeps_folder(setup, contender_at(setup, static_cast<std::int64_t>(rank)));
    };
    std::size_t end = first + 1;
    while (end < by_rank.size() && !keeps(end)) ++end;
    for (std::size_t key = 0; key < keys; ++key) {
      KeyReport all = by_rank[first][key];
      for (std::size_t rank = first + 1; rank < end; ++rank) {
        all.compiles += by_rank[rank][key].compiles;
        all.bad_reads += by_rank[rank][key].bad_reads;
        all.written = all.written || by_rank[rank][key].written;
      }
      compiles += all.compiles;
      // One compile per folder and key is needed; each further one is a duplicate.
      duplicates += std::max(0, all.compiles - 1);
      (all.damaged ? damaged_reads : torn) += all.bad_reads;
      if (all.seen == KeyReport::good) unique_bytes += all.bytes;
      // The keeper is one more reader: it may find what a killed writer left under the final name.
      if (all.seen == KeyReport::bad && !all.damaged) ++torn;
      // Written, not seen, and no fault explains it: the policy lost an entry. An unreadable entry
      // was counted as torn above and is lost as well.
      if (all.seen != KeyReport::good && all.written && !all.damaged && !forgives) ++lost;
    }
    first = end;
  }
}

}  // namespace understudy::worker
