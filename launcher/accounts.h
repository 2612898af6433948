// SPDX-License-Identifier: Apache-2.0
// What the workers said of their own ends, weighed against each other. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "configs/base/error.h"
#include "configs/evidence.h"
#include "configs/record.h"
#include "launcher/watch.h"

namespace understudy::launcher {

// One worker's own account of its end.
struct Account {
  std::int64_t rank;
  const configs::Failed* failed;
  ErrorKind kind;
  configs::Evidence evidence;
};

// The best evidence first, then the lowest rank. Not those that were "interrupted": that is the
// launcher's or mpirun's clearing up after somebody else's end, which may wake a stopped worker for
// its last words.
std::vector<Account> accounts_in(const Watched& watched);

// What the others than rank `but` said, the same words once, and not what is `said` already.
std::vector<std::string> notes_of(const std::vector<Account>& accounts, std::int64_t but,
                                  const std::string& said);

// Who was waited for and did not tell why.
std::optional<std::int64_t> silent_rank(const std::vector<Account>& accounts);

}  // namespace understudy::launcher
