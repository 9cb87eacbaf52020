// SPDX-License-Identifier: BSD-3-Clause
// The entry that libFuzzer calls, for the one target that is linked.
#include "target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::targets().front().run({data, size});
  return 0;
}
