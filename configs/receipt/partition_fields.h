// SPDX-License-Identifier: Apache-2.0
// The fields of configs/receipt/partition.h, in the receipt and in the run document. Internal to
// configs.
#pragma once

#include "configs/json/fields.h"
#include "configs/receipt/partition.h"

namespace understudy::configs {

template <class F, FieldsOf<InsertedCollective> T>
void fields(F& field, T& one) {
  field("kind", one.kind);
  field("count", one.count);
  field("bytes", one.bytes);
  field("axes", one.axes);
  field("group", one.group);
  field("in_loop", one.in_loop);
  field("place", one.place);
}

template <class F, FieldsOf<PartitionSeen> T>
void fields(F& field, T& partition) {
  field("partitioner", partition.partitioner);
  field("jaxlib", partition.jaxlib);
  field("cached", partition.cached);
  field("seconds", partition.seconds);
  field("collectives", partition.collectives);
  field("warnings", partition.warnings);
}

}  // namespace understudy::configs
