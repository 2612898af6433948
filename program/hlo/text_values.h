// SPDX-License-Identifier: Apache-2.0
// The forms of values in HLO text, private to the text reader; text_fields.cc says what they leave
// in a field. All throw Error{input} at the character.
#pragma once

#include "program/hlo/text_parts.h"

namespace understudy::program::hlo {

Ints ints_in(Scanner& in);
bool flag_in(Scanner& in);
double real_in(Scanner& in);
Rows pairs_in(Scanner& in);
Rows slice_in(Scanner& in);
Rows padding_in(Scanner& in);
Rows window_in(Scanner& in);
Rows labels_in(Scanner& in);
Rows aliasing_in(Scanner& in);

}  // namespace understudy::program::hlo
