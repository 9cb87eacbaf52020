// SPDX-License-Identifier: BSD-3-Clause
#include "io/base64.hpp"

#include <array>

namespace hgrid::io {
namespace {

constexpr signed char no_digit = -1, blank = -2, padding = -3;

constexpr std::array<signed char, 256> make_digits() {
  std::array<signed char, 256> digits{};
  digits.fill(no_digit);
  constexpr std::string_view all = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (std::size_t k = 0; k < all.size(); ++k) digits[static_cast<unsigned char>(all[k])] = static_cast<signed char>(k);
  for (const unsigned char c : {' ', '\t', '\r', '\n'}) digits[c] = blank;
  digits['='] = padding;
  return digits;
}
constexpr std::array<signed char, 256> digits_of_base64 = make_digits();

}  // namespace

bool Base64::decode(std::string_view& text, std::string& bytes, std::size_t most) {
  std::size_t at = 0;
  bool good = true;
  for (; at < text.size() && bytes.size() < most && good; ++at) {
    const signed char digit = digits_of_base64[static_cast<unsigned char>(text[at])];
    if (digit == blank) continue;
    if (digit >= 0) {
      bits_ = bits_ << 6 | static_cast<std::uint32_t>(digit);
      if (++digits_ < 4) continue;
      for (const int shift : {16, 8, 0}) bytes += static_cast<char>(bits_ >> shift & 0xFF);
      digits_ = 0;
    } else if (digit == padding && digits_ != 1) {  // two or three digits are one or two bytes; none follow earlier padding
      if (digits_ > 1) bytes += static_cast<char>(bits_ >> (6 * digits_ - 8) & 0xFF);
      if (digits_ > 2) bytes += static_cast<char>(bits_ >> 2 & 0xFF);
      digits_ = 0;
    } else {
      good = false;
    }
  }
  text.remove_prefix(good ? at : at - 1);
  return good;
}

}  // namespace hgrid::io
