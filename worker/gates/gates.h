// SPDX-License-Identifier: Apache-2.0
// The state machine of a worker: contract checked -> environment frozen -> runtime initialised ->
// SPMD enabled -> tensors may exist -> programs may run, in this order and no other. Each gate is
// passed once, by the code that made its check, and recorded with its time. Call from the executor
// thread only, except reached().
#pragma once

#include <atomic>
#include <string>
#include <string_view>

#include "configs/base/deadline.h"
#include "configs/receipt/record/record.h"

namespace understudy::worker {

class Gates {
 public:
  // `start` is when the worker's main() was entered. The record outlives the gates.
  Gates(configs::RecordWriter& record, Clock::time_point start) : record_(record), start_(start) {}

  // Passes the next gate. *Throws* Error{internal} when `gate` is not the next one.
  void pass(configs::Phase gate, const std::string& detail);
  // Records a passed check between two gates.
  void note(std::string_view check, const std::string& detail);
  // Records a failed check.
  void fail(std::string_view check, const std::string& why);
  // *Throws* Error{protocol} when `gate` is not passed yet; `what` needs it ("a tensor").
  void require(configs::Phase gate, std::string_view what) const;
  // From any thread.
  configs::Phase reached() const { return reached_.load(std::memory_order_acquire); }

 private:
  configs::RecordWriter& record_;
  Clock::time_point start_;
  std::atomic<configs::Phase> reached_{configs::Phase::started};
};

}  // namespace understudy::worker
