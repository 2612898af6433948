// SPDX-License-Identifier: Apache-2.0
#include "launcher/preflight/answer_cache.h"

#include <utility>

#include "configs/base/error.h"

namespace understudy::launcher {
namespace {

// The form of configs/launch/message/compiler_message.h. 1 had no number.
constexpr DerivedKind kAnswers{"preflight", ".answer", "2"};

}  // namespace

std::optional<CompilerReply> find_answer(const CacheChoice& cache, const cache::NamedParts& key) {
  // A compile by libtpu takes seconds to minutes, so its answers, refusals included, are kept
  // beside compiled programs.
  std::optional<Frame> frame = find_derived(cache, kAnswers, key);
  if (!frame) return std::nullopt;
  try {
    return CompilerReply{configs::read_compiler_answer(frame->header), std::move(frame->payload)};
  } catch (const Error&) {
    return std::nullopt;  // of a build with other headers
  }
}

void keep_answer(const CacheChoice& cache, const cache::NamedParts& key,
                 const CompilerReply& reply) {
  keep_derived(cache, kAnswers, key, {to_json(reply.answer), reply.body});
}

}  // namespace understudy::launcher
