// SPDX-License-Identifier: Apache-2.0
#include "collectives/call.h"

#include <algorithm>
#include <charconv>

#include "fmt/format.h"
#include "fmt/ranges.h"

#include "configs/base/digest.h"

namespace understudy::collectives {
namespace {

// Enough for the groups that people look at; a longer list would crowd out the place in the
// program.
constexpr std::size_t kMostMembersSpelt = 24;

std::uint64_t signature_of(std::string_view text) {
  const std::string digest = digest_of(text);
  std::uint64_t value = 0;
  // The first 64 of 128 bits: signatures only have to differ between calls of one run.
  std::from_chars(digest.data(), digest.data() + 16, value, 16);
  return value;
}

std::string members_text(std::span<const Rank> members, std::size_t most) {
  std::vector<std::int32_t> numbers;
  for (const Rank member : members.first(std::min(most, members.size()))) {
    numbers.push_back(member.value);
  }
  std::string text = fmt::format("{}", fmt::join(numbers, ","));
  if (numbers.size() < members.size()) text += fmt::format(",... ({} ranks)", members.size());
  return text;
}

// Group and place in at most `room` letters: first fewer members are listed, then the path is cut
// at its front.
std::string ending_of(const CallSite& site, std::span<const Rank> members, std::size_t room) {
  std::string place = site.place.empty() ? "" : fmt::format(", {}", site.place);
  for (std::size_t most : {kMostMembersSpelt, kMostMembersSpelt / 3, std::size_t{2}}) {
    std::string group = members.empty() ? "" : ", group " + members_text(members, most);
    if (group.size() + place.size() <= room) return group + place;
    constexpr std::string_view kCut = ", ...";
    const bool last = most == 2 && group.size() + kCut.size() < room;
    if (last) {
      // The end of a path names the file and line, so its front is cut.
      const std::size_t kept = room - group.size() - kCut.size();
      return group + std::string(kCut) + place.substr(place.size() - kept);
    }
  }
  return place;
}

}  // namespace

MessageHeader header_of(const CallSite& site, std::span<const Rank> members) {
  // The caller kept the header of this place in the program: only the clock changes from call to
  // call.
  if (site.header != nullptr) {
    MessageHeader kept = *site.header;
    kept.emulated_seconds = site.emulated_seconds;
    return kept;
  }
  std::string text = fmt::format("{} {}[{}]", site.op, site.element, site.elements);
  if (!site.reduction.empty()) text += fmt::format(" {}", site.reduction);
  text += fmt::format(", channel {}", site.channel);
  if (!site.layout.empty()) text += fmt::format(", {}", site.layout);

  MessageHeader header;
  // The signature covers all members, the text perhaps not.
  header.signature = signature_of(text + ";" + members_text(members, members.size()));
  header.emulated_seconds = site.emulated_seconds;
  // What is left of the 168 bytes of MessageHeader::call, which ends with a 0.
  text += ending_of(site, members,
                    header.call.size() - 1 - std::min(text.size(), header.call.size() - 1));
  text.resize(std::min(text.size(), header.call.size() - 1));
  std::copy(text.begin(), text.end(), header.call.begin());
  return header;
}

Call::Call(Transport& transport, const Group& group, const CallSite& site,
           std::string_view algorithm)
    : transport_(transport), group_(group), header_(header_of(site, group.members)) {
  waiting_.what = call_of(header_);
  report_.algorithm = algorithm;
  report_.emulated_seconds = site.emulated_seconds;
}

void Call::exchange(std::span<const std::byte> out, std::size_t to, std::span<std::byte> in,
                    std::size_t from) {
  const Outbound sent{out, rank_of(to)};
  Inbound received{in, rank_of(from)};
  exchange_all(std::span(&sent, 1), std::span(&received, 1));
}

void Call::exchange_all(std::span<const Outbound> out, std::span<Inbound> in) {
  // The clock at the time of sending: receivers take the maximum, so emulated time never runs
  // backwards.
  header_.emulated_seconds = report_.emulated_seconds;
  transport_.exchange_all(out, in, Stream::collective, header_, waiting_);
  report_.messages += out.size();
  for (const Outbound& message : out) report_.bytes += message.bytes.size();
  for (const Inbound& message : in) {
    report_.emulated_seconds =
        std::max(report_.emulated_seconds, message.received.emulated_seconds);
  }
}

}  // namespace understudy::collectives
