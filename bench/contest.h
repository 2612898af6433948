// SPDX-License-Identifier: Apache-2.0
// One of our collectives and MPI's own in one process group, on buffers of one kind: verified
// first, then timed in the order A B B A. All processes on one machine. Every member function is
// collective over the processes.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mpi.h>
#include <string>
#include <vector>

#include "bench/paired.h"
#include "collectives/collectives.h"
#include "worker/hbm/hbm.h"

namespace understudy::bench {

struct Match {
  std::string kind;       // "all_reduce"
  std::string path;       // "hbm", "shared_result", "private", "messages" (as between machines)
  std::string dtype;      // "f32", "bf16"
  std::size_t bytes = 0;  // of the whole array: the operand of all_reduce, the result of all_gather
};

struct Row {
  Match match;
  Ratio ratio;
  double ours_seconds = 0, rival_seconds = 0;  // medians of the slowest rank
  std::int64_t calls = 0;                      // in one sample, one after the other
};

class Contest {
 public:
  // `hbm` is memory that the others map; everything given outlives this. *Throws* Error{capacity}.
  Contest(const collectives::Fabric& fabric, worker::Hbm& hbm,
          const collectives::Algorithm& algorithm, const Match& match);
  ~Contest();
  Contest(const Contest&) = delete;
  Contest& operator=(const Contest&) = delete;

  // *Throws* Error{check} where either result is wrong.
  void verify();
  // Collective: frees the memory and objects that MPI allocated.
  void close();
  Row measure(std::int64_t pairs, double seconds_at_most);

 private:
  struct Kind;
  static const Kind& kind_named(const std::string& name);
  std::byte* make_buffer(std::size_t bytes, const char* label);
  void fill();
  void ours();
  void rival();
  void check(const std::function<void()>& call, const char* whose);
  float expected(std::size_t index) const;

  const collectives::Fabric fabric_;
  worker::Hbm& hbm_;
  const collectives::Algorithm& algorithm_;
  const Match match_;
  const Kind& kind_;
  std::unique_ptr<collectives::Reducer> reducer_;
  collectives::Group group_;
  collectives::MessageHeader header_;
  std::size_t in_elements_ = 0, out_elements_ = 0, unit_ = 0;
  std::byte *in_ = nullptr, *out_ = nullptr, *spare_ = nullptr;
  const std::byte* result_ = nullptr;
  std::vector<std::vector<std::byte>> private_;
  MPI_Op operation_ = MPI_SUM;
  MPI_Datatype type_ = MPI_FLOAT;
  std::uint64_t round_ = 0;
};

std::vector<std::string> kinds();

}  // namespace understudy::bench
