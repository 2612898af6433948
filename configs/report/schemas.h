// SPDX-License-Identifier: Apache-2.0
// The files of configs/schema/ that are made from the lists of fields that write the documents, so
// that schema and document cannot differ. Pure functions.
#pragma once

#include <string>
#include <vector>

namespace understudy::configs {

struct NamedSchema {
  std::string name;  // of the file, without .json
  std::string text;
};

// All of them; each room of documents adds its own.
std::vector<NamedSchema> made_schemas();

std::vector<NamedSchema> command_schemas();
std::vector<NamedSchema> cache_schemas();
std::vector<NamedSchema> stress_schemas();
NamedSchema check_schema();
NamedSchema metrics_schema();
NamedSchema restore_proof_schema();

}  // namespace understudy::configs
