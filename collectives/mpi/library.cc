// SPDX-License-Identifier: Apache-2.0
#include "collectives/mpi/library.h"

#include <cstring>
#include <limits>
#include <sched.h>

#include "fmt/format.h"
#include "mpi.h"

#include "collectives/mpi/request_bits.h"
#include "configs/base/error.h"

namespace understudy::collectives {
namespace {

// Each test lets MPI make progress; a yield between tests gives the core to other ranks of this
// machine.
constexpr int kTestsInARow = 50;

int mpi_count(std::size_t count) {
  if (count > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    throw Error(ErrorKind::unsupported,
                fmt::format("MPI collectives support at most {} items, this call has {}",
                            std::numeric_limits<int>::max(), count));
  }
  return static_cast<int>(count);
}

// The reducer of the current call: MPI passes no context to its reduction functions, and there is
// one call at a time.
const Reducer* current_reducer = nullptr;

// MPI's convention: inout = in op inout, with `in` from the lower rank. So `in` is the left
// operand.
void fold(void* in, void* inout, int* count, MPI_Datatype* /*type*/) {
  current_reducer->merge(static_cast<const std::byte*>(in), static_cast<const std::byte*>(inout),
                         static_cast<std::byte*>(inout), static_cast<std::size_t>(*count));
}

// One collective of MPI as a job of the main thread.
class LibraryJob final : public MpiJob {
 public:
  LibraryJob(const Group& group, const Waiting& waiting, std::function<std::uintptr_t()> start)
      : group_(group), waiting_(waiting), start_(std::move(start)) {}

  void start() override { request_ = start_(); }
  bool advance() override {
    MPI_Request request = MPI_REQUEST_NULL;
    std::memcpy(&request, &request_, sizeof(request));
    int done = 0;
    for (int i = 0; i < kTestsInARow && done == 0; ++i) {
      mpi_check(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
      if (done == 0) sched_yield();
    }
    done_ = done != 0;
    return done_;
  }
  bool done() const override { return done_; }
  // MPI's collectives make progress only inside of MPI calls.
  bool needs_polling() const override { return true; }
  Clock::duration longest_nap() const override { return std::chrono::microseconds(100); }
  bool lingers() const override { return true; }
  void add_awaited(std::vector<Rank>& peers) const override {
    for (std::size_t i = 0; i < group_.size(); ++i) {
      if (i != group_.self) peers.push_back(group_.members[i]);
    }
  }
  const std::string& what() const override { return waiting_.what; }

 private:
  const Group& group_;
  const Waiting& waiting_;
  std::function<std::uintptr_t()> start_;
  std::uintptr_t request_ = 0;
  bool done_ = false;
};

// Operands as accumulators: as they are where both are as wide, else widened.
std::span<const std::byte> widened(const Reducer& reducer, std::span<const std::byte> in,
                                   std::vector<std::byte>& room) {
  const std::size_t unit = reducer.element_bytes(), wide = reducer.accumulator_bytes();
  if (unit == wide) return in;
  room.resize(in.size() / unit * wide);
  reducer.widen(in.data(), room.data(), in.size() / unit);
  return room;
}
std::span<std::byte> room_for(const Reducer& reducer, std::span<std::byte> out,
                              std::vector<std::byte>& room) {
  const std::size_t unit = reducer.element_bytes(), wide = reducer.accumulator_bytes();
  if (unit == wide) return out;
  room.resize(out.size() / unit * wide);
  return room;
}
void narrow(const Reducer& reducer, std::span<const std::byte> accumulators,
            std::span<std::byte> out) {
  if (accumulators.data() == out.data()) return;
  reducer.narrow(accumulators.data(), out.data(), out.size() / reducer.element_bytes());
}

}  // namespace

void MpiLibrary::run(const Group& group, const Waiting& waiting, const Start& start) {
  LibraryJob job(group, waiting, [&] { return start(communicator_of(group)); });
  transport_.run(job);
}

// Creating a communicator blocks until all members call; the agreement before each call makes sure
// that they do. A group of all ranks in order uses the world communicator.
int MpiLibrary::communicator_of(const Group& group) {
  bool everybody = group.size() == static_cast<std::size_t>(world_.size());
  for (std::size_t i = 0; i < group.size(); ++i) {
    everybody = everybody && group.members[i] == Rank(static_cast<std::int64_t>(i));
  }
  if (everybody) return world_.handle();
  if (const auto found = made_.find(group.members); found != made_.end()) return found->second;
  std::vector<int> ranks;
  for (const Rank member : group.members) ranks.push_back(member.value);
  const MPI_Comm world = MPI_Comm_f2c(world_.handle());
  MPI_Group all = MPI_GROUP_NULL, ours = MPI_GROUP_NULL;
  MPI_Comm comm = MPI_COMM_NULL;
  mpi_check(MPI_Comm_group(world, &all), "MPI_Comm_group");
  mpi_check(MPI_Group_incl(all, mpi_count(ranks.size()), ranks.data(), &ours), "MPI_Group_incl");
  // Collective over the members only, unlike MPI_Comm_create.
  mpi_check(MPI_Comm_create_group(world, ours, kLargestTag, &comm), "MPI_Comm_create_group");
  mpi_check(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  mpi_check(MPI_Group_free(&ours), "MPI_Group_free");
  mpi_check(MPI_Group_free(&all), "MPI_Group_free");
  return made_[group.members] = MPI_Comm_c2f(comm);
}

// An accumulator as an MPI type, so that MPI never splits one between two calls of fold(). On the
// main thread.
int MpiLibrary::type_of(const Reducer& reducer) {
  const std::size_t bytes = reducer.accumulator_bytes();
  if (const auto found = types_.find(bytes); found != types_.end()) return found->second;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  mpi_check(MPI_Type_contiguous(mpi_count(bytes), MPI_BYTE, &type), "MPI_Type_contiguous");
  mpi_check(MPI_Type_commit(&type), "MPI_Type_commit");
  return types_[bytes] = MPI_Type_c2f(type);
}

int MpiLibrary::fold_operation() {
  if (!operation_) {
    const int commutes = 0;  // the group's order is kept
    MPI_Op operation = MPI_OP_NULL;
    mpi_check(MPI_Op_create(&fold, commutes, &operation), "MPI_Op_create");
    operation_ = MPI_Op_c2f(operation);
  }
  return *operation_;
}

// Reductions run on accumulators: MPI folds what our reducer widened, and the result is rounded
// once.
template <class Begin>
void MpiLibrary::reduce(const Group& group, const Reducer& reducer, std::span<const std::byte> in,
                        std::span<std::byte> out, const Waiting& waiting, const Begin& begin) {
  const auto sent = widened(reducer, in, sent_);
  const auto received = room_for(reducer, out, received_);
  run(group, waiting, [&](int handle) {
    current_reducer = &reducer;
    MPI_Request request = MPI_REQUEST_NULL;
    begin(sent, received, MPI_Type_f2c(type_of(reducer)), MPI_Op_f2c(fold_operation()),
          MPI_Comm_f2c(handle), &request);
    return stored(request);
  });
  narrow(reducer, received, out);
}

void MpiLibrary::all_reduce(const Group& group, const Reducer& reducer,
                            std::span<const std::byte> in, std::span<std::byte> out,
                            const Waiting& waiting) {
  reduce(group, reducer, in, out, waiting,
         [&](auto sent, auto received, MPI_Datatype type, MPI_Op operation, MPI_Comm comm,
             MPI_Request* request) {
           mpi_check(MPI_Iallreduce(sent.data(), received.data(),
                                    mpi_count(sent.size() / reducer.accumulator_bytes()), type,
                                    operation, comm, request),
                     "MPI_Iallreduce");
         });
}

void MpiLibrary::reduce_scatter(const Group& group, const Reducer& reducer,
                                std::span<const std::byte> in, std::span<std::byte> out,
                                const Waiting& waiting) {
  reduce(group, reducer, in, out, waiting,
         [&](auto sent, auto received, MPI_Datatype type, MPI_Op operation, MPI_Comm comm,
             MPI_Request* request) {
           mpi_check(
               MPI_Ireduce_scatter_block(sent.data(), received.data(),
                                         mpi_count(received.size() / reducer.accumulator_bytes()),
                                         type, operation, comm, request),
               "MPI_Ireduce_scatter_block");
         });
}

void MpiLibrary::all_gather(const Group& group, std::span<const std::byte> in,
                            std::span<std::byte> out, const Waiting& waiting) {
  run(group, waiting, [&](int handle) {
    MPI_Request request = MPI_REQUEST_NULL;
    mpi_check(MPI_Iallgather(in.data(), mpi_count(in.size()), MPI_BYTE, out.data(),
                             mpi_count(in.size()), MPI_BYTE, MPI_Comm_f2c(handle), &request),
              "MPI_Iallgather");
    return stored(request);
  });
}

void MpiLibrary::all_to_all(const Group& group, std::span<const std::byte> in,
                            std::span<std::byte> out, const Waiting& waiting) {
  const std::size_t block = in.size() / group.size();
  run(group, waiting, [&](int handle) {
    MPI_Request request = MPI_REQUEST_NULL;
    mpi_check(MPI_Ialltoall(in.data(), mpi_count(block), MPI_BYTE, out.data(), mpi_count(block),
                            MPI_BYTE, MPI_Comm_f2c(handle), &request),
              "MPI_Ialltoall");
    return stored(request);
  });
}

void MpiLibrary::broadcast(const Group& group, std::size_t root, std::span<std::byte> buffer,
                           const Waiting& waiting) {
  run(group, waiting, [&](int handle) {
    MPI_Request request = MPI_REQUEST_NULL;
    mpi_check(MPI_Ibcast(buffer.data(), mpi_count(buffer.size()), MPI_BYTE, mpi_count(root),
                         MPI_Comm_f2c(handle), &request),
              "MPI_Ibcast");
    return stored(request);
  });
}

void MpiLibrary::free() {
  for (auto& [members, handle] : made_) {
    MPI_Comm comm = MPI_Comm_f2c(handle);
    mpi_check(MPI_Comm_free(&comm), "MPI_Comm_free");
  }
  made_.clear();
  for (auto& [bytes, handle] : types_) {
    MPI_Datatype type = MPI_Type_f2c(handle);
    mpi_check(MPI_Type_free(&type), "MPI_Type_free");
  }
  types_.clear();
  if (operation_) {
    MPI_Op operation = MPI_Op_f2c(*operation_);
    mpi_check(MPI_Op_free(&operation), "MPI_Op_free");
    operation_.reset();
  }
}

}  // namespace understudy::collectives
