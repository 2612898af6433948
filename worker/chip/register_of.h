// SPDX-License-Identifier: Apache-2.0
// Registers of kBytes with elements T as dependent types, which lose their attribute as arguments
// of another template.
#pragma once

namespace understudy::worker {

template <class T, int kBytes>
struct RegisterOf {
  using Value [[gnu::vector_size(kBytes)]] = T;
  // In memory, at any address.
  struct [[gnu::packed, gnu::may_alias]] Place {
    Value value;
  };
};

}  // namespace understudy::worker
