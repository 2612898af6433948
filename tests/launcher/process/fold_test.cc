// SPDX-License-Identifier: Apache-2.0
#include "launcher/process/fold.h"

#include <cstdio>
#include <gtest/gtest.h>
#include <memory>
#include <string>

namespace understudy::launcher {
namespace {

TEST(Fold, ALongLineBreaksAtSpacesAndHangs) {
  EXPECT_EQ(folded("  note: one two three four five", 20, 4),
            "  note: one two\n      three four\n      five");
  EXPECT_EQ(folded("short\n\nlines stay", 20, 4), "short\n\nlines stay");
}

TEST(Fold, AWordThatIsTooLongStaysWhole) {
  const std::string word(30, 'w');
  EXPECT_EQ(folded("at " + word + " end", 20, 2), "at\n  " + word + "\n  end");
  EXPECT_EQ(folded(word, 20, 2), word);
}

TEST(Fold, CharactersAreCountedNotBytes) {
  EXPECT_EQ(folded("ääää ääää ääää", 14, 2), "ääää ääää ääää");
  EXPECT_EQ(folded("ääää ääää ääää", 13, 2), "ääää ääää\n  ääää");
}

TEST(Fold, QuotedSourceIsCutBehindItsCaret) {
  EXPECT_EQ(folded("%0 = stablehlo.add %a, %b\n     ^", 20, 4), "%0 = stablehlo.ad...\n     ^");
  // A caret that would be cut off keeps the line.
  EXPECT_EQ(folded("%0 = stablehlo.add %a, %b\n                       ^", 20, 4),
            "%0 = stablehlo.add %a, %b\n                       ^");
}

// It is copied, and a file name may hold spaces.
TEST(Fold, TheLineOfAReceiptStays) {
  const std::string line = "receipt: /home/some one/receipts/a receipt.json";
  EXPECT_EQ(folded(line, 20, 4), line);
}

TEST(Fold, AFileHasNoColumns) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file{std::tmpfile(), &std::fclose};
  EXPECT_EQ(columns_of(file.get()), 0U);
}

}  // namespace
}  // namespace understudy::launcher
