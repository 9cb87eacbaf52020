// SPDX-License-Identifier: BSD-3-Clause
#include "io/printable.hpp"

#include <fmt/format.h>

#include <iterator>

namespace hgrid::io {
namespace {

/// Returns the bytes of the multi-byte UTF-8 character at the front of `text`; 0 if it is none, or one of the C1 controls,
/// which terminals obey.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const std::size_t length = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : 2;
  if (byte(0) < 0xC2 || byte(0) > 0xF4 || text.size() < length) return 0;
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(k) & 0xC0) != 0x80) return 0;
  }
  const bool c1_control = byte(0) == 0xC2 && byte(1) < 0xA0;
  const bool overlong = (byte(0) == 0xE0 && byte(1) < 0xA0) || (byte(0) == 0xF0 && byte(1) < 0x90);
  return c1_control || overlong ? 0 : length;
}

}  // namespace

std::string printable(std::string_view text, std::size_t limit) {
  std::string out;
  std::size_t at = 0;
  while (at < text.size() && at < limit) {
    const char c = text[at];
    if (c >= 0x20 && c < 0x7F && c != '\\') {
      out += c;
      ++at;
    } else if (const std::size_t length = utf8_length(text.substr(at))) {
      out += text.substr(at, length);
      at += length;
    } else {
      if (c == '\n')
        out += "\\n";
      else if (c == '\t')
        out += "\\t";
      else if (c == '\r')
        out += "\\r";
      else if (c == '\\')
        out += "\\\\";
      else
        fmt::format_to(std::back_inserter(out), "\\x{:02x}", static_cast<unsigned char>(c));
      ++at;
    }
  }
  if (at < text.size()) out += "...";
  return out;
}

}  // namespace hgrid::io
