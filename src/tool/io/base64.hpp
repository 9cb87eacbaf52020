// SPDX-License-Identifier: BSD-3-Clause
// Base64, decoded piece by piece.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace hgrid::io {

class Base64 {
 public:
  /// Takes characters off the front of `text` until `bytes` has at least `most` bytes or the text ends. Skips blanks; after
  /// padding a new run may begin. Returns false at a character that is not base64, which stays at the front.
  bool decode(std::string_view& text, std::string& bytes, std::size_t most);

 private:
  std::uint32_t bits_ = 0;
  int digits_ = 0;  // of the four that make three bytes
};

}  // namespace hgrid::io
