// SPDX-License-Identifier: Apache-2.0
#include "bench/shared_bells.h"

#include <mpi.h>
#include <new>

#include "collectives/communicator.h"
#include "configs/base/error.h"

namespace understudy::bench {

using collectives::mpi_check;

struct SharedBells::Window {
  MPI_Comm machine = MPI_COMM_NULL;
  MPI_Win handle = MPI_WIN_NULL;
};

SharedBells::SharedBells() : window_(std::make_unique<Window>()) {
  int rank = 0, size = 0, local = 0;
  mpi_check(MPI_Comm_rank(MPI_COMM_WORLD, &rank), "MPI_Comm_rank");
  mpi_check(MPI_Comm_size(MPI_COMM_WORLD, &size), "MPI_Comm_size");
  mpi_check(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL,
                                &window_->machine),
            "MPI_Comm_split_type");
  mpi_check(MPI_Comm_size(window_->machine, &local), "MPI_Comm_size");
  if (local != size)
    throw Error(ErrorKind::usage, "the benchmark compares collectives inside one machine");
  self_ = Rank(rank);
  void* base = nullptr;
  mpi_check(MPI_Win_allocate_shared(sizeof(std::atomic<std::uint32_t>), 1, MPI_INFO_NULL,
                                    window_->machine, &base, &window_->handle),
            "MPI_Win_allocate_shared");
  new (base) std::atomic<std::uint32_t>(0);
  mpi_check(MPI_Barrier(window_->machine), "MPI_Barrier");
}

SharedBells::~SharedBells() = default;

void SharedBells::free() {
  mpi_check(MPI_Win_free(&window_->handle), "MPI_Win_free");
  mpi_check(MPI_Comm_free(&window_->machine), "MPI_Comm_free");
}

std::atomic<std::uint32_t>& SharedBells::bell(Rank rank) const {
  MPI_Aint bytes = 0;
  int unit = 0;
  void* base = nullptr;
  mpi_check(MPI_Win_shared_query(window_->handle, rank.value, &bytes, &unit, &base),
            "MPI_Win_shared_query");
  return *static_cast<std::atomic<std::uint32_t>*>(base);
}

}  // namespace understudy::bench
