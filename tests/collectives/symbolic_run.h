// SPDX-License-Identifier: Apache-2.0
// Runs the schedules of all members of a group on strings instead of numbers: an item of member 2
// is "2" in a reduction (and a fold is "(left right)"), else "2.7" for its item 7. Checks what
// schedule.h promises on the way.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "fmt/format.h"
#include "gtest/gtest.h"

#include "collectives/schedule.h"

namespace understudy::collectives {

class SymbolicRun {
 public:
  // `shared`: partials and result are the same memory, as in an all_reduce of f32.
  SymbolicRun(Maker make, Task task, bool shared) : task_(task) {
    const bool folds = reduces(task.kind);
    for (std::size_t m = 0; m < task.members; ++m) {
      Task own = task;
      own.self = m;
      schedules_.push_back(make(own));
      std::vector<std::string> operand;
      for (std::size_t i = 0; i < task.items; ++i) {
        operand.push_back(folds ? fmt::format("{}", m) : fmt::format("{}.{}", m, i));
      }
      Memory memory{operand, {}, {}, {}};
      memory[kResult].resize(result_items());
      memory[kPartials].resize(folds ? task.items : 0);
      memory[kScratch].resize(schedules_[m].scratch_items);
      memories_.push_back(memory);
    }
    shared_ = shared;
    run();
  }

  const std::vector<std::string>& result(std::size_t member) const {
    return memories_[member][kResult];
  }
  const Schedule& schedule(std::size_t member) const { return schedules_[member]; }

 private:
  static constexpr std::size_t kResult = 1, kPartials = 2, kScratch = 3;
  using Memory = std::array<std::vector<std::string>, 4>;
  using Payload = std::vector<std::string>;

  std::size_t result_items() const {
    switch (task_.kind) {
      case Kind::all_gather:
        return task_.items * task_.members;
      case Kind::reduce_scatter:
        return task_.block();
      default:
        return task_.items;
    }
  }

  std::string& item(std::size_t member, Space space, std::size_t i) {
    auto number = static_cast<std::size_t>(space);
    if (shared_ && space == Space::partials) number = kResult;
    return memories_[member][number].at(i);
  }

  void run() {
    for (const Schedule& schedule : schedules_) {
      ASSERT_EQ(schedule.steps.size(), schedules_[0].steps.size());
      ASSERT_EQ(schedule.algorithm, schedules_[0].algorithm);
    }
    for (std::size_t s = 0; s < schedules_[0].steps.size(); ++s) step(s);
    for (std::size_t m = 0; m < task_.members; ++m) move(m, schedules_[m].after);
  }

  void move(std::size_t member, const std::vector<Move>& moves) {
    for (const Move& one : moves) {
      EXPECT_NE(one.to, Space::operand);
      for (std::size_t i = 0; i < one.count; ++i) {
        item(member, one.to, one.to_begin + i) = item(member, one.from, one.from_begin + i);
      }
    }
  }

  void step(std::size_t s) {
    std::map<std::pair<std::size_t, std::size_t>, std::vector<Payload>> mailboxes;  // from, to
    for (std::size_t m = 0; m < task_.members; ++m) {
      move(m, schedules_[m].steps[s].before);
      for (const Message& message : schedules_[m].steps[s].sends) {
        EXPECT_NE(message.peer, m);
        Payload payload;
        for_each_item(message, [&](std::size_t i) {
          payload.push_back(item(m, message.space, i));
          EXPECT_NE(payload.back(), "") << "nothing is there to be sent";
        });
        mailboxes[{m, message.peer}].push_back(payload);
      }
    }
    for (std::size_t m = 0; m < task_.members; ++m) take(m, s, mailboxes);
    for (const auto& [who, left] : mailboxes) {
      EXPECT_TRUE(left.empty()) << who.second << " leaves a message of " << who.first;
    }
  }

  void take(std::size_t m, std::size_t s,
            std::map<std::pair<std::size_t, std::size_t>, std::vector<Payload>>& mailboxes) {
    std::map<std::pair<Space, std::size_t>, int> stored;
    for (const Message& message : schedules_[m].steps[s].receives) {
      auto& from = mailboxes[{message.peer, m}];
      ASSERT_FALSE(from.empty()) << m << " waits for " << message.peer << " in step " << s;
      const Payload payload = from.front();
      from.erase(from.begin());
      ASSERT_EQ(payload.size(), items_in(message.ranges));
      std::size_t next = 0;
      for_each_item(message, [&](std::size_t i) {
        std::string& ours = item(m, message.space, i);
        const std::string& theirs = payload[next++];
        if (message.action == Action::store) {
          EXPECT_EQ(++(stored[{message.space, i}]), 1);
          ours = theirs;
        } else {
          EXPECT_EQ(message.space, Space::partials);
          const bool left = message.action == Action::fold_left;
          ours = fmt::format("({} {})", left ? theirs : ours, left ? ours : theirs);
        }
      });
    }
  }

  static void for_each_item(const Message& message, const std::function<void(std::size_t)>& body) {
    for (const Range& range : message.ranges) {
      for (std::size_t i = 0; i < range.count; ++i) body(range.begin + i);
    }
  }

  Task task_;
  bool shared_ = false;
  std::vector<Schedule> schedules_;
  std::vector<Memory> memories_;
};

// The members of a tree from left to right, and how many folds the deepest of them goes through.
inline std::vector<std::size_t> leaves_of(const std::string& tree) {
  std::vector<std::size_t> leaves;
  for (std::size_t i = 0; i < tree.size();) {
    if (tree[i] < '0' || tree[i] > '9') {
      ++i;
      continue;
    }
    std::size_t end = 0;
    leaves.push_back(std::stoul(tree.substr(i), &end));
    i += end;
  }
  return leaves;
}
inline std::size_t depth_of(const std::string& tree) {
  std::size_t depth = 0, deepest = 0;
  for (const char c : tree) {
    if (c == '(') deepest = std::max(deepest, ++depth);
    if (c == ')') --depth;
  }
  return deepest;
}

}  // namespace understudy::collectives
