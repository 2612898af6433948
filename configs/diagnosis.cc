// SPDX-License-Identifier: Apache-2.0
#include "configs/diagnosis.h"

#include <algorithm>
#include <array>

namespace understudy::configs {
namespace {

constexpr std::array<std::string_view, 7> kLayers = {
    "host/runtime", "contract", "cache", "graph/compile", "collective", "memory", "program"};

// By layer, then by name.
constexpr Diagnosis kTable[] = {
    {"broken-invariant", "", Layer::host_runtime,
     "This is a defect of understudy itself, not of the launch. Report it with the receipt."},
    {"machine-refused", "", Layer::host_runtime,
     "This machine, not the program, is in the way. `understudy doctor` says what it lacks."},
    {"rank-lost-at-start", "F22", Layer::host_runtime,
     "A worker never came to the start line. Look at its host, and at the stage that it reached "
     "last; the chips that wait for it are in order."},
    {"workers-did-not-start", "F21", Layer::host_runtime,
     "See what mpirun said, and whether `understudy doctor` finds MPI in order."},

    {"contract-differs", "F39", Layer::contract,
     "Start all hosts from the same environment, binary and program. The note names what "
     "differs."},
    {"environment-changed", "F13", Layer::contract,
     "Something changed the environment after the launch decided it: set variables in the profile, "
     "not in code that runs at import."},

    {"cache-cannot-restore", "F56", Layer::cache,
     "What is stored cannot be loaded here, so this cache cannot shorten a start on this machine. "
     "Expect every start to compile."},
    {"cache-keys-differ", "", Layer::cache,
     "One chip compiles for the others, so all must ask for the same entry. Give every host the "
     "same build and options; `understudy cache explain` tells the parts of a key."},

    {"host-fallback", "F52", Layer::graph_compile,
     "An operation ran on the host instead of the chip: it is named with its count. Replace it by "
     "one that the compiler lowers."},
    {"recompiles", "F49", Layer::graph_compile,
     "The program that is compiled changes from step to step: keep shapes fixed and pass scalars "
     "as tensors. The first difference is named."},

    {"collectives-differ", "F39", Layer::collective,
     "Chips entered different collectives: compare the two places that are named. All chips must "
     "run the same program with the same flags in the same order."},
    {"layout-constraint-differs", "F51", Layer::collective,
     "Check three things together: the program's shape (are the same collectives reached with the "
     "same operands?), when SPMD was enabled (before the first tensor), and the layout contract "
     "(give pin_layout the same value at every call)."},
    {"rank-died", "F36", Layer::collective,
     "Look at the last words and the host of the rank that went first; all others are victims of "
     "it. All ranks have to be started again."},
    {"rank-stopped", "F38", Layer::collective,
     "The process is there but does not run: look for a debugger, a suspended job or a frozen "
     "container on its host."},
    {"rank-stuck", "F38", Layer::collective,
     "The rank lives but does not come to the collective that the others wait in: compare the "
     "place where it was last seen with theirs."},

    {"hbm-exhausted", "F60", Layer::memory,
     "The program needs more HBM than the chip has: shard more, donate arguments, or take a "
     "chip with more."},
    {"vmem-exhausted", "F59", Layer::memory,
     "A tile does not fit into VMEM: use smaller blocks, or a chip with more VMEM."},

    {"program-refused", "", Layer::program,
     "The program itself is wrong or uses what understudy cannot run; the place is named."},
    {"results-differ", "", Layer::program,
     "The run itself was sound; its results are not the expected ones. Compare --numerics, the "
     "program and the arguments with those of the expectation."},
};

}  // namespace

std::string_view name_of(Layer layer) { return kLayers[static_cast<std::size_t>(layer)]; }

std::span<const Diagnosis> diagnoses() { return kTable; }

const Diagnosis* find_diagnosis(std::string_view name) {
  const auto* const found = std::ranges::find(kTable, name, &Diagnosis::name);
  return found == std::end(kTable) ? nullptr : found;
}

}  // namespace understudy::configs
