// SPDX-License-Identifier: Apache-2.0
#include "launcher/diagnose/attribution.h"

#include <algorithm>
#include <string_view>

#include "configs/base/error.h"
#include "configs/receipt/diagnosis.h"

namespace understudy::launcher {
namespace {

using configs::Evidence;

struct KindRow {
  ErrorKind kind;
  std::string_view diagnosis;
};

// The default diagnosis by kind, for failures that were not diagnosed where they were detected.
constexpr KindRow kByKind[] = {
    {ErrorKind::check, "results-differ"},        {ErrorKind::usage, "program-refused"},
    {ErrorKind::input, "program-refused"},       {ErrorKind::config, "program-refused"},
    {ErrorKind::unsupported, "program-refused"}, {ErrorKind::protocol, "collectives-differ"},
    {ErrorKind::timeout, "rank-stuck"},          {ErrorKind::capacity, "hbm-exhausted"},
    {ErrorKind::internal, "broken-invariant"},   {ErrorKind::system, "machine-refused"},
};

}  // namespace

std::string diagnosis_of_loss(configs::Evidence seen, configs::Phase phase) {
  // Before programs may run, how a rank was lost says nothing about a program: the start-up failed.
  if (phase < configs::Phase::programs_allowed) return "rank-lost-at-start";
  if (seen == Evidence::stopped) return "rank-stopped";
  return seen == Evidence::gone ? "rank-died" : "rank-stuck";
}

std::string diagnosis_of_loss(const Loss& loss, configs::Phase phase) {
  // Causes that only the launcher can see come first; a peer sees both of these only as "gone".
  if (loss.how == LossKind::out_of_memory) return "host-memory-exhausted";
  if (loss.how == LossKind::signalled) return "rank-signalled";
  return diagnosis_of_loss(evidence_of(loss), phase);
}

// A diagnosis that was set by the detector is more specific than the one of the failure kind and is
// kept.
void attribute(configs::ReceiptFailure& failure) {
  if (!failure.diagnosis) {
    const auto kind = failure.kind ? configs::error_kind_of(*failure.kind) : std::nullopt;
    if (!kind) return;
    failure.diagnosis = std::ranges::find(kByKind, *kind, &KindRow::kind)->diagnosis;
  }
  const configs::Diagnosis* const found = configs::find_diagnosis(*failure.diagnosis);
  if (found == nullptr) return;
  failure.layer = name_of(found->layer);
  failure.advice = found->advice;
}

}  // namespace understudy::launcher
