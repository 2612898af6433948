// SPDX-License-Identifier: Apache-2.0
#include "pjrt/core/launch_trace.h"

#include <fmt/format.h>
#include <map>
#include <utility>

#include "pjrt/core/compile/proto.h"

namespace understudy::pjrt {
namespace {

// Field numbers of xplane.proto (openxla/xla, third_party/tsl/profiler).
namespace field {
constexpr std::uint32_t kPlanes = 1;                                         // XSpace
constexpr std::uint32_t kId = 1, kName = 2, kLines = 3, kEventMetadata = 4;  // XPlane, XLine
constexpr std::uint32_t kTimestampNs = 3, kEvents = 4;                       // XLine
constexpr std::uint32_t kMetadataId = 1, kOffsetPs = 2, kDurationPs = 3;     // XEvent
constexpr std::uint32_t kKey = 1, kValue = 2;                                // an entry of a map
}  // namespace field

constexpr std::int64_t kPsPerNs = 1000;
constexpr const char* kModulesLine = "XLA Modules";  // the name that readers of TPU traces know

std::uint64_t raw(std::int64_t value) { return static_cast<std::uint64_t>(value); }

// The plane of one chip. Events refer to their names by the numbers of a table.
class Plane {
 public:
  void add(const LaunchEvent& event) {
    if (events_.empty()) start_ns_ = event.begin_ns;
    ProtoWriter one;
    one.number(field::kMetadataId, number_of(event.program));
    one.number(field::kOffsetPs, raw((event.begin_ns - start_ns_) * kPsPerNs));
    one.number(field::kDurationPs, raw((event.end_ns - event.begin_ns) * kPsPerNs));
    events_.push_back(one.take());
  }

  std::string text(std::int64_t rank) const {
    ProtoWriter line;
    line.number(field::kId, 1);
    line.bytes(field::kName, kModulesLine);
    line.number(field::kTimestampNs, raw(start_ns_));
    for (const std::string& event : events_) line.bytes(field::kEvents, event);
    ProtoWriter plane;
    plane.number(field::kId, raw(rank) + 1);
    plane.bytes(field::kName, fmt::format("/device:TPU:{}", rank));
    plane.bytes(field::kLines, line.take());
    for (const auto& [name, number] : names_) {
      ProtoWriter metadata;
      metadata.number(field::kId, number);
      metadata.bytes(field::kName, name);
      ProtoWriter entry;
      entry.number(field::kKey, number);
      entry.bytes(field::kValue, metadata.take());
      plane.bytes(field::kEventMetadata, entry.take());
    }
    return plane.take();
  }

 private:
  std::uint64_t number_of(const std::string& name) {
    return names_.emplace(name, names_.size() + 1).first->second;
  }

  std::int64_t start_ns_ = 0;
  std::vector<std::string> events_;
  std::map<std::string, std::uint64_t> names_;
};

}  // namespace

LaunchTrace& LaunchTrace::of_process() {
  static LaunchTrace trace;
  return trace;
}

void LaunchTrace::start() {
  const std::scoped_lock lock(mutex_);
  events_.clear();
  dropped_ = 0;
  recording_.store(true, std::memory_order_relaxed);
}

void LaunchTrace::stop() { recording_.store(false, std::memory_order_relaxed); }

void LaunchTrace::add(LaunchEvent event) {
  if (!is_recording()) return;
  const std::scoped_lock lock(mutex_);
  if (events_.size() == kMostEvents)
    ++dropped_;
  else
    events_.push_back(std::move(event));
}

std::string LaunchTrace::take_xspace() {
  const std::scoped_lock lock(mutex_);
  const std::vector<LaunchEvent> events = std::exchange(events_, {});
  const std::size_t dropped = std::exchange(dropped_, 0);
  std::map<std::int64_t, Plane> planes;
  for (const LaunchEvent& event : events) planes[event.rank].add(event);
  if (dropped > 0) {
    LaunchEvent last = events.back();
    last.program = fmt::format("{} later launches are not in this trace", dropped);
    last.begin_ns = last.end_ns;
    planes[last.rank].add(last);
  }
  ProtoWriter space;
  for (const auto& [rank, plane] : planes) space.bytes(field::kPlanes, plane.text(rank));
  return space.take();
}

}  // namespace understudy::pjrt
