// SPDX-License-Identifier: Apache-2.0
#include "configs/receipt/receipt.h"

#include "configs/json/leaves.h"
#include "configs/json/schema.h"
#include "configs/receipt/legacy.h"
#include "configs/receipt/receipt_fields.h"

namespace understudy::configs {

constexpr std::string_view kReceiptSchema = "understudy/receipt/2";

std::string to_json(const Receipt& receipt) {
  return document_of(receipt, kReceiptSchema, JsonWriter::Layout::readable);
}

std::string receipt_schema() {
  return schema_text<Receipt>(kReceiptSchema, "What one run observed; null is unknown");
}

std::map<std::string, std::string> leaves_of_receipt(const Receipt& receipt) {
  return leaves_of(receipt);
}

Receipt read_receipt(const std::string& text, const std::string& path) {
  static const std::vector<std::string> kVerdicts = {"passed", "failed"};
  const JsonReader in = JsonReader::parse(upgraded_receipt(text), path);
  // What format 1 lacks is null; what was unknown may stand as "none" there.
  static const std::vector<std::string> kSchemas = {std::string(kReceiptSchema),
                                                    "understudy/receipt/1"};
  const auto receipt =
      read_document<Receipt>(in, in.at("schema").one_of(kSchemas, "a receipt format"));
  in.at("verdict").one_of(kVerdicts, "a verdict");
  return receipt;
}

}  // namespace understudy::configs
