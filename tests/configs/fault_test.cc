// SPDX-License-Identifier: Apache-2.0
#include "configs/launch/fault.h"

#include <gtest/gtest.h>

#include "configs/base/error.h"
#include "tests/configs/configs_testing.h"

namespace understudy::configs {
namespace {

TEST(Fault, EveryExampleOfTheTableIsRead) {
  std::size_t row = 0;
  for (const FaultForm& form : fault_forms()) {
    EXPECT_EQ(static_cast<std::size_t>(form.kind), row++) << "the table is in the order of kinds";
    EXPECT_EQ(parse_fault(std::string(form.example)).kind, form.kind);
  }
}

TEST(Fault, IsTakenApart) {
  const Fault delay = parse_fault("delay:ms=2.5,rank=7,at=collective_permute#12");
  EXPECT_EQ(delay.kind, FaultKind::delay);
  EXPECT_EQ(delay.target, 7);
  EXPECT_EQ(delay.milliseconds, 2.5);
  ASSERT_TRUE(delay.at);
  EXPECT_EQ(delay.at->kind, 4U);
  EXPECT_EQ(delay.at->number, 12U);
  EXPECT_EQ(parse_fault("drop-host:host=1").target, 1);
  EXPECT_EQ(parse_fault("drop-host:1").target, 1);
  EXPECT_EQ(parse_fault("kill:4").target, 4);
  EXPECT_FALSE(parse_fault("kill:rank=4").at);
}

TEST(Fault, MayBeOfAllRanksWhereItsFormSaysSo) {
  const Fault all = parse_fault("host-fallback:op=aten::sort");
  EXPECT_EQ(all.op, "aten::sort");
  EXPECT_TRUE(all.hits(Rank(0), HostId(0)) && all.hits(Rank(5), HostId(1)));
  const Fault one = parse_fault("host-fallback:op=sort,rank=2");
  EXPECT_FALSE(one.hits(Rank(0), HostId(0)));
  EXPECT_TRUE(one.hits(Rank(2), HostId(0)));
  EXPECT_EQ(parse_fault("hbm-limit:rank=1,bytes=99000000000").bytes, 99'000'000'000U);
}

TEST(Fault, WrongWordsAreRefused) {
  for (const char* text :
       {"", ":", "kill:", "kill:rank=-1", "kill:rank=1x",
        "kill:rank=", "delay:rank=1,ms=", "delay:rank=1,ms=-5", "delay:rank=1,ms=nan",
        "delay:rank=1,ms=inf", "kill:rank=1,at=#1", "kill:rank=1,at=all_reduce#0",
        "host-fallback:rank=1", "hbm-limit:rank=1", "hbm-limit:rank=1,bytes=-1", "bad-chip",
        "kill:rank=1,at=all_reduce#1x", "kill:host=1", "drop-host:rank=1"}) {
    EXPECT_THROW(parse_fault(text), Error) << text;
  }
}

}  // namespace
}  // namespace understudy::configs
