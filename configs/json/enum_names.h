// SPDX-License-Identifier: Apache-2.0
// The names of an enumeration in JSON documents. An enumeration is supported by a specialization
// with
//   static constexpr std::string_view kWhat = "a kind of failure";  // for messages
//   static constexpr std::string_view kNames[] = {...};             // in the order of the values
#pragma once

namespace understudy::configs {

template <class Enum>
struct EnumNames;

}  // namespace understudy::configs
