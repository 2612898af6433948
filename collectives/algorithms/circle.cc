// SPDX-License-Identifier: Apache-2.0
#include "collectives/algorithms/circle.h"

namespace understudy::collectives {
namespace {

// Positions in a circle, seen in a direction: `ahead` is where messages go.
class View {
 public:
  View(const Circle& circle, Direction direction)
      // Leftwards is n - 1 steps rightwards: all arithmetic stays unsigned.
      : circle_(circle), forward_(direction == Direction::rightwards ? 1 : circle.size() - 1) {}
  std::size_t ahead() const { return circle_.members[place(1)]; }
  std::size_t behind() const { return circle_.members[place(circle_.size() - 1)]; }
  const Ranges& owned_behind(std::size_t distance) const {
    return circle_.owned[place(circle_.size() - distance % circle_.size())];
  }

 private:
  std::size_t place(std::size_t hops) const {
    return (circle_.at + hops % circle_.size() * forward_) % circle_.size();
  }
  const Circle& circle_;
  std::size_t forward_;
};

}  // namespace

Circle circle_of(const Task& task) {
  Circle circle;
  for (std::size_t member = 0; member < task.members; ++member) circle.members.push_back(member);
  circle.at = task.self;
  // Empty ranges; the caller says who owns what.
  circle.owned.resize(task.members);
  return circle;
}

// Ring reduce-scatter. In step s a member passes on the partial whose owner is s+1 places behind
// it, and folds the partial of the owner one place further behind.
void fold_around(Schedule& schedule, std::size_t first_step, const Circle& circle,
                 Direction direction) {
  const View view(circle, direction);
  // The operand that arrives comes from lower places when it travels rightwards, hence the left
  // operand.
  const Action action = direction == Direction::rightwards ? Action::fold_left : Action::fold_right;
  for (std::size_t s = 0; s + 1 < circle.size(); ++s) {
    Step& step = schedule.step(first_step + s);
    step.sends.push_back({view.ahead(), Space::partials, view.owned_behind(s + 1)});
    step.receives.push_back({view.behind(), Space::partials, view.owned_behind(s + 2), action});
  }
}

// Ring all-gather. In step s a member passes on the part that it received in step s-1; in step 0,
// its own.
void gather_around(Schedule& schedule, std::size_t first_step, const Circle& circle,
                   Direction direction) {
  const View view(circle, direction);
  for (std::size_t s = 0; s + 1 < circle.size(); ++s) {
    Step& step = schedule.step(first_step + s);
    step.sends.push_back({view.ahead(), Space::result, view.owned_behind(s)});
    step.receives.push_back({view.behind(), Space::result, view.owned_behind(s + 1)});
  }
}

// The part of the owner at k comes from both ends. The members furthest away start first, so that
// all arrive in step n-2. On its way to the right it leaves place p in step n-1-k+p; to the left it
// is mirrored.
void fold_along(Schedule& schedule, std::size_t first_step, const Circle& line) {
  const std::size_t last = line.size() - 1, p = line.at;
  for (std::size_t s = 0; s < last; ++s) {
    Step& step = schedule.step(first_step + s);
    const std::size_t right = last + p - s;  // the owner whose part leaves p rightwards
    const auto send = [&](std::size_t place, std::size_t owner) {
      step.sends.push_back({line.members[place], Space::partials, line.owned[owner]});
    };
    const auto receive = [&](std::size_t place, std::size_t owner, Action action) {
      step.receives.push_back({line.members[place], Space::partials, line.owned[owner], action});
    };
    if (p < last && right > p && right <= last) send(p + 1, right);
    if (p > 0 && right - 1 >= p && right - 1 <= last) receive(p - 1, right - 1, Action::fold_left);
    // Leftwards, owner k's part leaves p in step k + (n-1-p).
    const std::size_t behind = last - p;
    if (p > 0 && s >= behind && s - behind < p) send(p - 1, s - behind);
    if (p < last && s + 1 >= behind && s + 1 - behind <= p) {
      receive(p + 1, s + 1 - behind, Action::fold_right);
    }
  }
}

// The part of the owner at k leaves place p in step |p - k|.
void gather_along(Schedule& schedule, std::size_t first_step, const Circle& line) {
  const std::size_t last = line.size() - 1, p = line.at;
  for (std::size_t s = 0; s < last; ++s) {
    Step& step = schedule.step(first_step + s);
    const auto send = [&](std::size_t place, std::size_t owner) {
      step.sends.push_back({line.members[place], Space::result, line.owned[owner]});
    };
    const auto receive = [&](std::size_t place, std::size_t owner) {
      step.receives.push_back({line.members[place], Space::result, line.owned[owner]});
    };
    if (p < last && s <= p) send(p + 1, p - s);
    if (p > s) receive(p - 1, p - 1 - s);
    if (p > 0 && p + s <= last) send(p - 1, p + s);
    if (p + s < last) receive(p + 1, p + 1 + s);
  }
}

}  // namespace understudy::collectives
