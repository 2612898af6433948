// SPDX-License-Identifier: Apache-2.0
#include "bench/contest.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <fmt/format.h>

#include "collectives/algorithms/direct.h"
#include "collectives/call.h"
#include "collectives/communicator.h"
#include "configs/base/error.h"
#include "program/kernels/kernels.h"
#include "worker/chip/reducers.h"

namespace understudy::bench {
namespace {

using collectives::mpi_check;

std::uint16_t bf16_of(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return static_cast<std::uint16_t>((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16);
}
float float_of(std::uint16_t bits) { return std::bit_cast<float>(std::uint32_t{bits} << 16); }

// MPI 3 has no bf16 type, so the rival reduces with our addition kernels: the comparison is about
// communication only.
void sum_bf16(void* in, void* inout, int* count, MPI_Datatype*) {
  static const worker::KernelReducer reducer(program::kernels::select(""), program::Reduction::sum,
                                             program::ElementType::bf16);
  constexpr std::size_t kBlock = 4096;  // sums stay in the nearest cache
  static std::array<std::byte, kBlock * sizeof(float)> sums;
  const auto* from = static_cast<const std::byte*>(in);
  auto* to = static_cast<std::byte*>(inout);
  for (auto left = static_cast<std::size_t>(*count); left > 0;) {
    const std::size_t n = std::min(left, kBlock);
    reducer.widen(to, sums.data(), n);
    reducer.combine(sums.data(), from, sums.data(), n);
    reducer.narrow(sums.data(), to, n);
    from += n * reducer.element_bytes();
    to += n * reducer.element_bytes();
    left -= n;
  }
}

// Small whole numbers: their sums are exact in any order, also in bf16.
float value_at(std::size_t member, std::size_t index) {
  return static_cast<float>((index * 3 + member) % 5) - 2.0F;
}

int count_of(std::size_t elements) { return static_cast<int>(elements); }

// Calls per sample: enough for the clock to resolve small operands.
// One call of 64 KiB takes microseconds, near the resolution of MPI_Wtime over a barrier.
std::int64_t calls_for(std::size_t bytes) { return bytes <= 65536 ? 20 : bytes <= 1 << 20 ? 4 : 1; }

collectives::Fabric fabric_for(collectives::Fabric fabric, std::string_view path) {
  fabric.private_buffers = path == "private";
  if (path == "messages") fabric.shared = nullptr;
  return fabric;
}

// Seconds per call; the slowest rank of a sample counts.
double sample(const std::function<void()>& call, std::int64_t calls) {
  // All ranks start together, else the first call would measure how late the others are.
  mpi_check(MPI_Barrier(MPI_COMM_WORLD), "MPI_Barrier");
  const double start = MPI_Wtime();
  for (std::int64_t i = 0; i < calls; ++i) call();
  const double mine = (MPI_Wtime() - start) / static_cast<double>(calls);
  double slowest = 0;
  mpi_check(MPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD),
            "MPI_Allreduce");
  return slowest;
}

}  // namespace

// One row per collective: the number of elements of operand and result where the whole array has
// `whole`, and the expected element `i` of this rank's result.
struct Contest::Kind {
  std::string name;
  std::size_t (*in)(std::size_t whole, std::size_t n);
  std::size_t (*out)(std::size_t whole, std::size_t n);
  float (*value)(std::size_t i, std::size_t whole, std::size_t n, std::size_t self);
  collectives::CallReport (*ours)(Contest& c, const collectives::CallSite& site);
  void (*rival)(Contest& c);
};

namespace {

std::size_t all_of_it(std::size_t whole, std::size_t) { return whole; }
std::size_t nth_of_it(std::size_t whole, std::size_t n) { return whole / n; }
float sum_at(std::size_t i, std::size_t n) {
  float sum = 0;
  for (std::size_t member = 0; member < n; ++member) sum += value_at(member, i);
  return sum;
}

}  // namespace

// Over 40 lines: a table with a row per kind of collective.
const Contest::Kind& Contest::kind_named(const std::string& name) {
  static const std::vector<Kind> table = {
      {"all_reduce", all_of_it, all_of_it,
       [](std::size_t i, std::size_t, std::size_t n, std::size_t) { return sum_at(i, n); },
       [](Contest& c, const collectives::CallSite& site) {
         const std::span in(c.in_, c.in_elements_ * c.unit_),
             out(c.out_, c.out_elements_ * c.unit_);
         return c.algorithm_.all_reduce(c.fabric_, c.group_, *c.reducer_, in, out, site);
       },
       [](Contest& c) {
         mpi_check(MPI_Allreduce(c.in_, c.out_, count_of(c.in_elements_), c.type_, c.operation_,
                                 MPI_COMM_WORLD),
                   "MPI_Allreduce");
       }},
      {"all_gather", nth_of_it, all_of_it,
       [](std::size_t i, std::size_t whole, std::size_t n, std::size_t) {
         return value_at(i / (whole / n), i % (whole / n));
       },
       [](Contest& c, const collectives::CallSite& site) {
         const std::span in(c.in_, c.in_elements_ * c.unit_),
             out(c.out_, c.out_elements_ * c.unit_);
         return c.algorithm_.all_gather(c.fabric_, c.group_, in, out, site);
       },
       [](Contest& c) {
         mpi_check(MPI_Allgather(c.in_, count_of(c.in_elements_), c.type_, c.out_,
                                 count_of(c.in_elements_), c.type_, MPI_COMM_WORLD),
                   "MPI_Allgather");
       }},
      {"reduce_scatter", all_of_it, nth_of_it,
       [](std::size_t i, std::size_t whole, std::size_t n, std::size_t self) {
         return sum_at(self * (whole / n) + i, n);
       },
       [](Contest& c, const collectives::CallSite& site) {
         const std::span in(c.in_, c.in_elements_ * c.unit_),
             out(c.out_, c.out_elements_ * c.unit_);
         return c.algorithm_.reduce_scatter(c.fabric_, c.group_, *c.reducer_, in, out, site);
       },
       [](Contest& c) {
         mpi_check(MPI_Reduce_scatter_block(c.in_, c.out_, count_of(c.out_elements_), c.type_,
                                            c.operation_, MPI_COMM_WORLD),
                   "MPI_Reduce_scatter_block");
       }},
      {"all_to_all", all_of_it, all_of_it,
       [](std::size_t i, std::size_t whole, std::size_t n, std::size_t self) {
         const std::size_t block = whole / n;
         return value_at(i / block, self * block + i % block);
       },
       [](Contest& c, const collectives::CallSite& site) {
         const std::span in(c.in_, c.in_elements_ * c.unit_),
             out(c.out_, c.out_elements_ * c.unit_);
         return c.algorithm_.all_to_all(c.fabric_, c.group_, in, out, site);
       },
       [](Contest& c) {
         const int block = count_of(c.in_elements_ / c.group_.size());
         mpi_check(MPI_Alltoall(c.in_, block, c.type_, c.out_, block, c.type_, MPI_COMM_WORLD),
                   "MPI_Alltoall");
       }},
  };
  for (const Kind& kind : table) {
    if (kind.name == name) return kind;
  }
  throw Error(ErrorKind::usage, fmt::format("unknown collective {}", name));
}

std::vector<std::string> kinds() {
  return {"all_reduce", "all_gather", "reduce_scatter", "all_to_all"};
}

Contest::Contest(const collectives::Fabric& fabric, worker::Hbm& hbm,
                 const collectives::Algorithm& algorithm, const Match& match)
    : fabric_(fabric_for(fabric, match.path)),
      hbm_(hbm),
      algorithm_(algorithm),
      match_(match),
      kind_(kind_named(match.kind)),
      unit_(match.dtype == "bf16" ? 2 : 4) {
  const auto n = static_cast<std::size_t>(fabric.transport.size());
  for (std::size_t rank = 0; rank < n; ++rank) {
    group_.members.emplace_back(static_cast<std::int64_t>(rank));
  }
  group_.self = static_cast<std::size_t>(fabric.transport.rank().value);
  const auto type = unit_ == 2 ? program::ElementType::bf16 : program::ElementType::f32;
  reducer_ = std::make_unique<worker::KernelReducer>(program::kernels::select(""),
                                                     program::Reduction::sum, type);
  if (unit_ == 2) {
    type_ = MPI_UINT16_T;
    mpi_check(MPI_Op_create(&sum_bf16, 1, &operation_), "MPI_Op_create");
  }
  // Rounded so that the whole array divides evenly among the members.
  std::size_t whole = std::max<std::size_t>(match.bytes / unit_, 1);
  if (match.kind != "all_reduce") whole = std::max(whole / n, std::size_t{1}) * n;
  in_elements_ = kind_.in(whole, n);
  out_elements_ = kind_.out(whole, n);
  in_ = make_buffer(in_elements_ * unit_, "operand");
  out_ = make_buffer(out_elements_ * unit_, "result");
  if (match.path == "shared_result") spare_ = make_buffer(out_elements_ * unit_, "result");
  result_ = out_;
  header_ = collectives::header_of(
      {.op = kind_.name, .element = match.dtype, .elements = in_elements_, .place = "bench"},
      group_.members);
  fill();
}

Contest::~Contest() {
  // Private buffers free themselves.
  for (std::byte* buffer : {in_, out_, spare_}) {
    if (buffer != nullptr && private_.empty()) hbm_.free(buffer);
  }
}

void Contest::close() {
  if (unit_ == 2) mpi_check(MPI_Op_free(&operation_), "MPI_Op_free");
}

std::byte* Contest::make_buffer(std::size_t bytes, const char* label) {
  if (match_.path != "private") return hbm_.allocate(bytes, label);
  return private_.emplace_back(bytes).data();
}

void Contest::fill() {
  for (std::size_t i = 0; i < in_elements_; ++i) {
    const float value = value_at(group_.self, i);
    const std::uint16_t narrow = bf16_of(value);
    std::memcpy(in_ + i * unit_, unit_ == 2 ? static_cast<const void*>(&narrow) : &value, unit_);
  }
}

void Contest::ours() {
  const collectives::CallSite site{.op = kind_.name, .header = &header_};
  if (match_.path != "shared_result") {
    kind_.ours(*this, site);
    return;
  }
  // Two results alternate: one is overwritten only after all ranks have arrived at the call for the
  // other.
  std::byte* const out = ++round_ % 2 == 0 ? out_ : spare_;
  collectives::all_reduce_shared(fabric_, group_, *reducer_, {in_, in_elements_ * unit_},
                                 {out, out_elements_ * unit_}, site, &result_);
}

void Contest::rival() {
  result_ = out_;
  kind_.rival(*this);
}

void Contest::check(const std::function<void()>& call, const char* whose) {
  // A pattern that no expected sum has, so that a result that was not written is found.
  std::memset(out_, 0xA5, out_elements_ * unit_);
  if (spare_ != nullptr) std::memset(spare_, 0xA5, out_elements_ * unit_);
  mpi_check(MPI_Barrier(MPI_COMM_WORLD), "MPI_Barrier");
  call();
  const std::size_t n = group_.size();
  const std::size_t whole = std::max(in_elements_, out_elements_);
  for (std::size_t i = 0; i < out_elements_; ++i) {
    std::uint16_t narrow = 0;
    float got = 0;
    std::memcpy(unit_ == 2 ? static_cast<void*>(&narrow) : &got, result_ + i * unit_, unit_);
    if (unit_ == 2) got = float_of(narrow);
    const float want = kind_.value(i, whole, n, group_.self);
    if (got == want) continue;
    throw Error(ErrorKind::check,
                fmt::format("{} {}: rank {}: element {} of {} is {}, not {}: nothing is timed",
                            whose, kind_.name, group_.self, i, out_elements_, got, want));
  }
  mpi_check(MPI_Barrier(MPI_COMM_WORLD), "MPI_Barrier");
}

void Contest::verify() {
  // Twice: the first call sets up segments and communicators, the second one reuses them.
  for (int twice = 0; twice < 2; ++twice) {
    check([this] { ours(); }, "our");
    check([this] { rival(); }, "MPI's");
  }
}

Row Contest::measure(std::int64_t pairs, double seconds_at_most) {
  constexpr std::int64_t kFewestPairs = 7;
  const std::function<void()> a = [this] { ours(); }, b = [this] { rival(); };
  const std::int64_t calls = calls_for(match_.bytes);
  std::vector<Pair> measured;
  std::vector<double> all_ours, all_rivals;
  double spent = 0;
  for (std::int64_t i = 0; i < pairs && (spent < seconds_at_most || i < kFewestPairs); ++i) {
    Pair pair;  // A B, then B A
    // The order alternates, so that a drift of the machine meets both alike.
    if (i % 2 == 0) pair.ours_seconds = sample(a, calls);
    pair.rival_seconds = sample(b, calls);
    if (i % 2 == 1) pair.ours_seconds = sample(a, calls);
    spent += static_cast<double>(calls) * (pair.ours_seconds + pair.rival_seconds);
    measured.push_back(pair);
    all_ours.push_back(pair.ours_seconds);
    all_rivals.push_back(pair.rival_seconds);
  }
  return {match_, ratio_of(measured), median_of(all_ours), median_of(all_rivals), calls};
}

}  // namespace understudy::bench
