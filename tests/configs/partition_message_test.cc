// SPDX-License-Identifier: Apache-2.0
#include "configs/launch/message/partition_message.h"

#include "gtest/gtest.h"

#include "configs/base/error.h"

namespace understudy::configs {
namespace {

TEST(PartitionMessage, ComesBackAsItWas) {
  PartitionQuestion question;
  question.host = 3;
  question.file = "<program>";
  question.entry = "main";
  question.replicas = 2;
  question.partitions = 4;
  question.device_order = {1, 0, 2};
  question.shardy = false;
  question.propagate_to_parameters = {1, 0};
  question.propagate_to_output = {0};
  EXPECT_EQ(read_partition_question(to_json(question)), question);
  const PartitionReply good{"", "", {}, {"costly"}, true};
  EXPECT_EQ(read_partition_reply(to_json(good)), good);
  const PartitionReply bad{"unsupported", "XLA refuses", {"XLA: why"}, {}, false};
  EXPECT_EQ(read_partition_reply(to_json(bad)), bad);
}

TEST(PartitionMessage, RefusesOtherDocuments) {
  EXPECT_THROW(read_partition_question(to_json(PartitionReply{})), Error);
  EXPECT_THROW(read_partition_reply(to_json(PartitionQuestion{})), Error);
  EXPECT_THROW(read_partition_question("{"), Error);
}

}  // namespace
}  // namespace understudy::configs
