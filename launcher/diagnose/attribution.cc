// SPDX-License-Identifier: Apache-2.0
#include "launcher/diagnose/attribution.h"

#include <algorithm>
#include <string_view>

#include "configs/base/diagnosis_id.h"
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
    {ErrorKind::check, name_of(DiagnosisId::results_differ)},
    {ErrorKind::usage, name_of(DiagnosisId::program_refused)},
    {ErrorKind::input, name_of(DiagnosisId::program_refused)},
    {ErrorKind::config, name_of(DiagnosisId::program_refused)},
    {ErrorKind::unsupported, name_of(DiagnosisId::program_refused)},
    {ErrorKind::protocol, name_of(DiagnosisId::collectives_differ)},
    {ErrorKind::timeout, name_of(DiagnosisId::rank_stuck)},
    {ErrorKind::capacity, name_of(DiagnosisId::hbm_exhausted)},
    {ErrorKind::internal, name_of(DiagnosisId::broken_invariant)},
    {ErrorKind::system, name_of(DiagnosisId::machine_refused)},
};

}  // namespace

std::string_view diagnosis_of_loss(configs::Evidence seen, configs::Phase phase) {
  // Before programs may run, how a rank was lost says nothing about a program: the start-up failed.
  if (phase < configs::Phase::programs_allowed) return name_of(DiagnosisId::rank_lost_at_start);
  if (seen == Evidence::stopped) return name_of(DiagnosisId::rank_stopped);
  return seen == Evidence::gone ? name_of(DiagnosisId::rank_died)
                                : name_of(DiagnosisId::rank_stuck);
}

std::string_view diagnosis_of_loss(const Loss& loss, configs::Phase phase) {
  // Causes that only the launcher can see come first; a peer sees both of these only as "gone".
  if (loss.how == LossKind::out_of_memory) return name_of(DiagnosisId::host_memory_exhausted);
  if (loss.how == LossKind::signalled) return name_of(DiagnosisId::rank_signalled);
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
  // A name without a row, for example in a record of another build: the failure is reported without
  // advice.
  if (found == nullptr) return;
  failure.layer = name_of(found->layer);
  failure.advice = found->advice;
}

}  // namespace understudy::launcher
