// SPDX-License-Identifier: Apache-2.0
#include "worker/pod/sync_point.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <vector>

#include "configs/base/diagnosis_id.h"
#include "configs/base/error.h"

namespace understudy::worker {
namespace {

// Seconds. Clocks that agree this well put the events of a run in order; NTP does far better.
constexpr double kSlack = 1;
// Messages name at most this many ranks.
constexpr std::size_t kMost = 6;

// The verdict on the wire: the first divergent rank, a blank, the message; "" for agreement.
struct Verdict {
  std::int64_t rank = -1;
  std::string words;
};

std::string text_of(const Verdict& verdict) {
  return verdict.words.empty() ? "" : fmt::format("{} {}", verdict.rank, verdict.words);
}

// Broadcasts rank 0's verdict and throws it on all ranks, so that no rank goes on alone.
void obey(ControlChannel& control_channel, const Verdict& judged, std::string_view what,
          std::string_view diagnosis, std::optional<Rank>& culprit) {
  const std::string text = control_channel.broadcast_text(text_of(judged), what);
  if (text.empty()) return;
  // from_chars stops at the blank; the text was made by text_of() of this build.
  std::int64_t rank = 0;
  const std::size_t blank = text.find(' ');
  std::from_chars(text.data(), text.data() + blank, rank);
  // The culprit itself reports its own failure.
  if (Rank(rank) != control_channel.rank()) culprit = Rank(rank);
  throw Error(ErrorKind::protocol, text.substr(blank + 1)).diagnosed(diagnosis);
}

std::string place_of(const configs::RunPlan& plan, std::size_t rank) {
  return fmt::format("rank {} (host {})", rank, plan.host_of.at(rank).value);
}

Verdict judge_points(const configs::RunPlan& plan, const std::vector<std::string>& points) {
  std::map<std::string, std::size_t> counts;
  for (const std::string& point : points) ++counts[point];
  if (counts.size() < 2) return {};
  std::string common = points.front();
  for (const std::string& point : points)
    // The majority is taken to be right; in a tie, the lowest rank.
    // Strictly more, so the first of equals (the lowest rank) stays.
    if (counts[point] > counts[common]) common = point;
  Verdict verdict;
  std::vector<std::string> words;
  for (std::size_t rank = 0; rank < points.size(); ++rank) {
    if (points[rank] == common) continue;
    if (words.empty()) verdict.rank = static_cast<std::int64_t>(rank);
    if (words.size() == kMost) break;
    words.push_back(fmt::format("{} is at \"{}\"", place_of(plan, rank), points[rank]));
  }
  verdict.words = fmt::format("ranks are at different sync points: {}; the others are at \"{}\"",
                              fmt::join(words, ", "), common);
  return verdict;
}

// Signed seconds by which each clock is outside of the interval [before, after] of rank 0's clock.
std::vector<double> skews_of(const std::vector<double>& clocks, double before, double after) {
  std::vector<double> skews;
  for (const double clock : clocks)
    // The gather takes time, so a clock is right if it falls into the interval between its begin
    // and its end on rank 0.
    skews.push_back(clock < before ? clock - before : clock > after ? clock - after : 0);
  return skews;
}

// If more than half of the clocks differ from rank 0's, rank 0's clock is the wrong one.
Verdict judge_clocks(const configs::RunPlan& plan, const std::vector<double>& skews) {
  std::vector<std::size_t> off;
  std::vector<double> by;  // seconds, at least
  for (std::size_t rank = 0; rank < skews.size(); ++rank) {
    if (std::abs(skews[rank]) <= kSlack) continue;
    off.push_back(rank);
    by.push_back(skews[rank]);
  }
  if (off.empty()) return {};
  if (2 * off.size() > skews.size())
    return {0, fmt::format("the clock of {} differs by {:.1f} s from the clocks of {} other ranks",
                           place_of(plan, 0), -by.front(), off.size())};
  std::vector<std::string> words;
  for (std::size_t i = 0; i < std::min(kMost, off.size()); ++i)
    words.push_back(fmt::format("{} by {:.1f} s", place_of(plan, off[i]), by[i]));
  if (off.size() > kMost) words.push_back(fmt::format("and {} more", off.size() - kMost));
  return {static_cast<std::int64_t>(off.front()),
          fmt::format("clocks differ from rank 0's: {}", fmt::join(words, ", "))};
}

}  // namespace

// The wall clock, because the clocks of machines are what is compared.
double wall_clock() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

void barrier(ControlChannel& control_channel, const configs::RunPlan& plan, std::string_view point,
             std::optional<Rank>& culprit) {
  constexpr std::string_view kWhat = "the sync point";
  std::vector<std::string> points;
  // Only rank 0 gets the points; the others judge nothing and obey its verdict.
  for (const Bytes& bytes : control_channel.gather(bytes_of(point), kWhat))
    points.push_back(worker::text_of(bytes));
  const Verdict verdict = points.empty() ? Verdict() : judge_points(plan, points);
  obey(control_channel, verdict, kWhat, name_of(DiagnosisId::sync_points_differ), culprit);
}

std::string compare_clocks(ControlChannel& control_channel, const configs::RunPlan& plan,
                           double before, double now, std::optional<Rank>& culprit,
                           const std::function<void(const std::vector<double>&)>& measured) {
  constexpr std::string_view kWhat = "the clocks";
  std::vector<double> clocks;
  // Microseconds as text: exact enough for a limit of one second.
  for (const Bytes& bytes : control_channel.gather(bytes_of(fmt::format("{:.6f}", now)), kWhat))
    clocks.push_back(std::stod(worker::text_of(bytes)));
  const std::vector<double> skews = skews_of(clocks, before, wall_clock());
  if (!skews.empty()) measured(skews);
  const Verdict verdict = skews.empty() ? Verdict() : judge_clocks(plan, skews);
  obey(control_channel, verdict, kWhat, name_of(DiagnosisId::clocks_differ), culprit);
  return fmt::format("the clocks of {} chips agree", control_channel.size());
}

}  // namespace understudy::worker
