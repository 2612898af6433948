// SPDX-License-Identifier: Apache-2.0
#include "program/analysis/flow.h"

#include <utility>

#include "program/analysis/follower.h"
#include "program/lowering/lowering.h"

namespace understudy::program::analysis {

Flow flow_of(const Module& module, const CompileOptions& options, const Interface& interface) {
  auto draft = std::make_shared<passes::Draft>();
  // Straight after lowering: passes would merge and fuse the reductions that reports are about.
  passes::Lowering(module, interface, *draft, passes::Lowered::as_written)
      .lower_main(entry_of(module, options));
  Follower follower(*draft, interface);
  follower.follow(draft->code);
  Flow flow = follower.take();
  flow.draft = std::move(draft);
  return flow;
}

}  // namespace understudy::program::analysis
