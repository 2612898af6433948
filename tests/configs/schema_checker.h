// SPDX-License-Identifier: Apache-2.0
// Checks a document against one of configs/schema, as far as the keywords go that those use; an
// unknown keyword is a fault of the schema.
#pragma once

#include <string>
#include <vector>

#include "configs/json/reader.h"

namespace understudy::configs {

// One line for each fault, with the document's pointer; empty when the document fits.
std::vector<std::string> schema_faults(const JsonReader& schema, const JsonReader& document);

// With configs/schema/<name>.json.
std::vector<std::string> schema_faults(const std::string& name, const std::string& document);

}  // namespace understudy::configs
