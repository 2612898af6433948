// SPDX-License-Identifier: Apache-2.0
#include "launcher/receipt_file.h"

#include <filesystem>
#include <fmt/format.h>
#include <system_error>

#include "configs/base/error.h"
#include "configs/base/file.h"
#include "launcher/environment.h"

namespace understudy::launcher {

std::string write_receipt(const Environment& environment, const std::string& wanted,
                          const configs::Receipt& receipt) {
  namespace fs = std::filesystem;
  const std::string path = wanted.empty() ? fmt::format("{}/understudy/receipts/{}.json",
                                                        environment.state_home, receipt.run_id)
                                          : wanted;
  std::error_code code;
  const fs::path parent = fs::path(path).parent_path();
  if (!parent.empty()) fs::create_directories(parent, code);
  if (code)
    throw Error(ErrorKind::system,
                fmt::format("cannot make {}: {}", parent.string(), code.message()));
  write_file_atomically(path, std::string_view(configs::to_json(receipt)));
  return path;
}

}  // namespace understudy::launcher
