// SPDX-License-Identifier: Apache-2.0
// The slice as a grid: x to the right, y upwards, one plane per z. A chip has the colour of its
// host. ICI links are lines; a wraparound link is drawn as dashed stubs at both ends.
#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <set>

#include "configs/base/error.h"
#include "configs/launch/topology.h"
#include "launcher/page/html.h"
#include "launcher/page/page_frame.h"
#include "launcher/page/receipt_page.h"

namespace understudy::launcher {
namespace {

using configs::RankSeen;
using configs::Receipt;
using configs::Slice;

// Pixels. A box holds a rank of four digits; the pitch leaves room for a visible link.
constexpr double kPitch = 58, kBox = 42;
constexpr double kMargin = 2, kWrapMargin = 22, kPlaneTitle = 26;
constexpr double kWidest = 1150;  // pixels; further planes start a new row
// Classes host0 to host7 of page_style.h; hosts beyond use them again.
constexpr std::int64_t kColours = 8;

// Rebuilds the slice from its name in the receipt; nullopt if this build does not know the name.
std::optional<Slice> slice_of(const Receipt& receipt) {
  configs::SliceRequest request;
  request.slice = receipt.slice;
  // First with the number of hosts of the run, which may not be the default.
  for (const bool with_hosts : {true, false}) {
    request.hosts.reset();
    if (with_hosts) request.hosts = receipt.host_count.value_or(0);
    try {
      return configs::make_slice(request);
    } catch (const Error&) {
      continue;  // a non-default number of hosts, or a slice of another build
    }
  }
  return std::nullopt;
}

// Coordinates in SVG pixels. y grows downwards in SVG, so rows are mirrored.
class Picture {
 public:
  Picture(const Slice& slice, const Receipt& receipt) : slice_(slice), receipt_(receipt) {
    margin_x_ = slice.wraps[0] ? kWrapMargin : kMargin;
    margin_y_ = slice.wraps[1] ? kWrapMargin : kMargin;
    title_ = slice.shape[2] > 1 ? kPlaneTitle : 0;
    plane_width_ = 2 * margin_x_ + kPitch * static_cast<double>(slice.shape[0]);
    plane_height_ = title_ + 2 * margin_y_ + kPitch * static_cast<double>(slice.shape[1]);
    per_row_ = std::max<std::int64_t>(1, static_cast<std::int64_t>(kWidest / plane_width_));
    per_row_ = std::min(per_row_, slice.shape[2]);
  }

  std::string svg() const {
    const std::int64_t rows = (slice_.shape[2] + per_row_ - 1) / per_row_;
    const double width = plane_width_ * static_cast<double>(per_row_);
    std::string text = fmt::format(
        "<svg class=\"slice\" width=\"{:.0f}\" viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" "
        "aria-label=\"{}\">\n",
        width, width, plane_height_ * static_cast<double>(rows),
        escaped("chips of " + slice_.name));
    for (std::int64_t z = 0; slice_.shape[2] > 1 && z < slice_.shape[2]; ++z)
      text += fmt::format("<text class=\"soft\" x=\"{:.0f}\" y=\"{:.0f}\">z = {}</text>\n",
                          left_of(z) + margin_x_ + (kPitch - kBox) / 2, top_of(z) + 16, z);
    for (const configs::Link& link : slice_.links()) text += line(link);
    for (const configs::Chip& chip : slice_.chips) text += box(chip);
    return text + "</svg>\n";
  }

 private:
  double left_of(std::int64_t z) const { return plane_width_ * static_cast<double>(z % per_row_); }
  double top_of(std::int64_t z) const { return plane_height_ * static_cast<double>(z / per_row_); }
  // The centre of a chip.
  double x_of(const configs::Chip& chip) const {
    return left_of(chip.at[2]) + margin_x_ + kPitch * (static_cast<double>(chip.at[0]) + 0.5);
  }
  double y_of(const configs::Chip& chip) const {
    const auto up = static_cast<double>(slice_.shape[1] - 1 - chip.at[1]);
    return top_of(chip.at[2]) + title_ + margin_y_ + kPitch * (up + 0.5);
  }

  // Links between planes are not drawn, because the planes are side by side.
  std::string line(const configs::Link& link) const {
    if (link.axis == 2) return "";
    const configs::Chip& from = slice_.by_id(link.from);
    const configs::Chip& to = slice_.by_id(link.to);
    if (!link.wraps) return segment(x_of(from), y_of(from), x_of(to), y_of(to), "link");
    // One stub leaves the last chip of the axis, one enters the first.
    const double out = kBox / 2 + kWrapMargin;
    const bool along_x = link.axis == 0;
    return segment(x_of(from), y_of(from), x_of(from) + (along_x ? out : 0),
                   y_of(from) - (along_x ? 0 : out), "link wrap") +
           segment(x_of(to), y_of(to), x_of(to) - (along_x ? out : 0),
                   y_of(to) + (along_x ? 0 : out), "link wrap");
  }

  static std::string segment(double x1, double y1, double x2, double y2, const char* css_class) {
    return fmt::format(
        "<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", css_class,
        x1, y1, x2, y2);
  }

  std::string box(const configs::Chip& chip) const {
    const auto seen = std::ranges::find(receipt_.ranks, chip.rank.value, &RankSeen::rank);
    const bool there = seen != receipt_.ranks.end();
    const configs::ReceiptFailure* const failure = receipt_.failure();
    // The chip that failed first is marked, even if the failure was reported by another.
    const bool failed =
        failure && (failure->rank_first ? failure->rank_first : failure->rank) == chip.rank.value;
    const std::string look =
        !there ? "box absent" : "box " + host_class(seen->host) + (failed ? " failed" : "");
    const std::string title =
        there ? fmt::format("rank {}, host {}, chip {} at {},{},{}{}", chip.rank.value, seen->host,
                            chip.id.value, chip.at[0], chip.at[1], chip.at[2],
                            failed ? ": first to fail" : "")
              : fmt::format("chip {}: not used", chip.id.value);
    return fmt::format(
        "<g><title>{}</title><rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{}\" "
        "height=\"{}\" rx=\"6\"/><text class=\"chip\" text-anchor=\"middle\" x=\"{:.1f}\" "
        "y=\"{:.1f}\">{}</text></g>\n",
        escaped(title), look, x_of(chip) - kBox / 2, y_of(chip) - kBox / 2, kBox, kBox, x_of(chip),
        y_of(chip) + 5, there ? std::to_string(chip.rank.value) : "");
  }

  const Slice& slice_;
  const Receipt& receipt_;
  double margin_x_ = 0, margin_y_ = 0, title_ = 0, plane_width_ = 0, plane_height_ = 0;
  std::int64_t per_row_ = 1;
};

std::string keys(const Receipt& receipt) {
  std::string text;
  std::set<std::int64_t> hosts;
  for (const RankSeen& chip : receipt.ranks) hosts.insert(chip.host);
  // With more hosts colours repeat and the legend explains nothing; titles of the boxes name the
  // host.
  constexpr std::size_t kMost = 16;
  for (const std::int64_t host : hosts) {
    if (hosts.size() > kMost) break;
    text += fmt::format(
        "<span><svg width=\"12\" height=\"12\"><rect class=\"{}\" width=\"12\" height=\"12\" "
        "rx=\"3\"/></svg>host {}</span>",
        host_class(host), host);
  }
  return around("div", text, "keys");
}

}  // namespace

std::string host_class(std::int64_t host) { return fmt::format("host{}", host % kColours); }

std::string slice_picture(const Receipt& receipt) {
  const std::optional<Slice> slice = slice_of(receipt);
  if (!slice || receipt.ranks.empty()) return "";
  return scrolling(Picture(*slice, receipt).svg()) + keys(receipt);
}

}  // namespace understudy::launcher
