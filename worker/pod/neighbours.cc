// SPDX-License-Identifier: Apache-2.0
#include "worker/pod/neighbours.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <sched.h>
#include <sys/mman.h>

#include "configs/base/error.h"

namespace understudy::worker {
namespace {

// 256 KiB: fine enough for small buffers, and 4 entries per MiB of HBM in the table.
constexpr std::uint64_t kGranule = 256 << 10;

// What this process may run on, not what the machine has.
std::size_t allowed_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  // A failed call leaves one core, with which every algorithm works.
  if (::sched_getaffinity(0, sizeof(set), &set) != 0) return 1;
  return static_cast<std::size_t>(std::max(1, CPU_COUNT(&set)));
}

}  // namespace

Neighbours::Neighbours(const PodMemory& memory)
    : memory_(memory), cores_(allowed_cores()), touched_(memory.size()) {
  for (std::size_t rank = 0; rank < memory.size(); ++rank) {
    ranks_here_ += memory.of(Rank(static_cast<std::int64_t>(rank))) != nullptr ? 1U : 0U;
  }
}

collectives::Board* Neighbours::board(Rank rank) {
  const Segment* const segment = memory_.of(rank);
  return segment == nullptr ? nullptr : &segment->board();
}

std::optional<std::uint64_t> Neighbours::place_of(std::span<const std::byte> own) const {
  const auto all = memory_.own().all();
  // Pointers of different objects are compared by std::less_equal, which is a total order.
  const std::less_equal<const std::byte*> before;
  const bool inside =
      before(all.data(), own.data()) && before(own.data() + own.size(), all.data() + all.size());
  if (!inside) return std::nullopt;
  return static_cast<std::uint64_t>(own.data() - all.data());
}

std::byte* Neighbours::at(Rank rank, std::uint64_t place) {
  return memory_.of(rank)->all().data() + place;
}

// Page tables are each process's own. A fault per page of a neighbour's memory costs more than
// reading the page; the kernel maps many at a time for a tenth of that.
void Neighbours::touch(Rank rank, std::uint64_t place, std::size_t bytes) {
  const Segment& segment = *memory_.of(rank);
  const auto offset = static_cast<std::uint64_t>(segment.hbm().data() - segment.all().data());
  // Scratch and header are small and used by every collective, so only HBM is tracked.
  if (place < offset || bytes == 0) return;
  auto& touched = touched_.at(static_cast<std::size_t>(rank.value));
  // Whole pages of the range and no others: a page that nobody uses must stay unpopulated.
  const std::uint64_t start = (place - offset) / kPage * kPage;
  const std::uint64_t end = std::min<std::uint64_t>(
      (place - offset + bytes + kPage - 1) / kPage * kPage, segment.hbm().size());
  if (touched.size() <= (end - 1) / kGranule) touched.resize((end - 1) / kGranule + 1);
  PageRange run;
  const auto map_run = [&] {
    if (run.end == run.begin) return;
    // Where the kernel does not know how (before 5.14), faults do the same.
    static_cast<void>(
        ::madvise(segment.hbm().data() + run.begin, run.end - run.begin, MADV_POPULATE_WRITE));
  };
  for (std::uint64_t at = start; at < end;) {
    const std::uint64_t next = std::min(end, (at / kGranule + 1) * kGranule);
    PageRange& known = touched[at / kGranule];
    if (at < known.begin || next > known.end) {
      // A gap ends the run: what is between was mapped before.
      if (run.end != at) map_run(), run = {at, at};
      run.end = next;
      known = known.end == 0 ? PageRange{at, next}
                             : PageRange{std::min(known.begin, at), std::max(known.end, next)};
    }
    at = next;
  }
  map_run();
}

// Areas grow by powers of two, so that what they leave behind is no more than what they have.
std::span<std::byte> Neighbours::staging(std::size_t lane, collectives::Staging use,
                                         std::size_t bytes) {
  constexpr std::size_t kLeast = 4096;
  auto& area = areas_.at(lane * collectives::kStagings + static_cast<std::size_t>(use));
  if (area.size() >= bytes) return area.first(bytes);
  const auto scratch = memory_.own().scratch();
  // Rounded up where there is room, exact where the scratch is nearly used up.
  const std::size_t size =
      std::min(std::bit_ceil(std::max(bytes, kLeast)), std::max(bytes, scratch.size() - given_));
  if (size > scratch.size() - given_) {
    throw Error(
        ErrorKind::capacity,
        fmt::format("RESOURCE_EXHAUSTED: collectives need {} bytes of scratch memory, which has "
                    "{} bytes in all",
                    bytes, scratch.size()));
  }
  // Areas that were outgrown are not given back: the sum of powers of two stays below twice the
  // last one.
  area = scratch.subspan(given_, size);
  given_ += size;
  return area.first(bytes);
}

}  // namespace understudy::worker
