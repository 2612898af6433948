// SPDX-License-Identifier: Apache-2.0
// Which table of kernels runs on this machine, and facts that all tables have in common.
#include <array>
#include <cpuid.h>
#include <cstring>

#include "fmt/format.h"

#include "configs/base/error.h"
#include "program/kernels/kernels.h"

namespace understudy::program::kernels {

extern const KernelTable kPortableTable;
extern const KernelTable kAvx2Table;
extern const KernelTable kAvx512Table;

namespace {

struct Choice {
  const KernelTable* table;
  bool (*runs_here)();
};

// __builtin_cpu_supports() of clang 14 does not know F16C. Asked once: in a virtual machine the
// instruction takes microseconds.
bool has_f16c() {
  static const bool has = [] {
    unsigned a = 0, b = 0, c = 0, d = 0;
    return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_F16C) != 0;
  }();
  return has;
}

// Narrowest first: the last one that runs here is the widest. AVX2 includes FMA and F16C here,
// AVX-512 all extensions that isa_avx512.cc is compiled for.
constexpr std::array<Choice, 3> kChoices{{
    {&kPortableTable, [] { return true; }},
    {&kAvx2Table,
     [] {
       return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0 &&
              has_f16c();
     }},
    {&kAvx512Table,
     [] {
       return __builtin_cpu_supports("fma") != 0 && has_f16c() &&
              __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
              __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512vl") != 0;
     }},
}};

}  // namespace

std::vector<const KernelTable*> available() {
  std::vector<const KernelTable*> tables;
  for (const Choice& choice : kChoices) {
    if (choice.runs_here()) tables.push_back(choice.table);
  }
  return tables;
}

const KernelTable& select(std::string_view wanted) {
  const std::vector<const KernelTable*> tables = available();
  if (wanted.empty()) return *tables.back();
  std::string names;
  for (const KernelTable* table : tables) {
    if (wanted == table->isa) return *table;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", table->isa);
  }
  throw Error(ErrorKind::usage,
              fmt::format("UNDERSTUDY_ISA={}: not available on this machine; available: {}", wanted,
                          names));
}

// A sum of ones in bf16 stops growing at 256, in f16 at 2048: both accumulate in f32.
ElementType accumulator_type(ElementType type) noexcept {
  return type == ElementType::bf16 || type == ElementType::f16 ? ElementType::f32 : type;
}

bool finds_extremes(ElementType type) noexcept {
  constexpr ElementType kTypes[] = {ElementType::f32, ElementType::bf16, ElementType::i32,
                                    ElementType::i8,  ElementType::ui8,  ElementType::pred};
  return std::ranges::find(kTypes, type) != std::end(kTypes);
}

bool reduces_to(ElementType from, ElementType to) noexcept {
  return from == to || accumulator_type(from) == to;
}

void write_identity(Reduction reduction, ElementType type, void* out) noexcept {
  const IdentityWriter writer = kPortableTable.identity(reduction, type);
  if (writer != nullptr) writer(out);
}

}  // namespace understudy::program::kernels
