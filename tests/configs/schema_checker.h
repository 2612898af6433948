// SPDX-License-Identifier: Apache-2.0
// Checks a document against one of configs/schema by tests/check_schema.py (python3-jsonschema).
#pragma once

#include <string>
#include <vector>

namespace understudy::configs {

// With configs/schema/<name>.json: one line for each fault, with the document's pointer; empty when
// the document fits. *Throws* std::runtime_error where the check could not run.
std::vector<std::string> schema_faults(const std::string& name, const std::string& document);

// One line for each object of a fitting document in which a missing or an unknown field would not
// be noticed; empty when the schema is closed.
std::vector<std::string> unnoticed_mutants(const std::string& name, const std::string& document);

}  // namespace understudy::configs
