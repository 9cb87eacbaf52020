// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdlib>
#include <iostream>
#include <string>

namespace support {

/// Ends the program with this message.
[[noreturn]] inline void fail(const std::string& what) {
  std::cout << what << std::endl;
  std::_Exit(1);
}

}  // namespace support
