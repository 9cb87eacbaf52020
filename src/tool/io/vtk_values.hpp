// SPDX-License-Identifier: BSD-3-Clause
// Values of VTK's legacy format, between the words that announce them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/word_reader.hpp"

namespace hgrid::io {

/// A type of numbers in a file of bytes. A bit is the eighth of a byte.
struct VtkType {
  enum Kind { real, whole, natural, bit } kind = real;
  int size = 8;
};
inline constexpr VtkType vtk_int{VtkType::whole, 4}, vtk_byte{VtkType::natural, 1};

std::optional<VtkType> vtk_type_of(std::string_view name);
/// Returns the type of a name in VTK's XML, such as Float64.
std::optional<VtkType> vtk_xml_type_of(std::string_view name);

/// Returns a name without its %-codes, which stand for blanks and similar characters.
std::string vtk_name_of(std::string_view encoded);

/// Returns the number in these bytes.
double vtk_number(const VtkType& type, const unsigned char* bytes, bool big_endian);
/// The numbers that these bytes are, as many as `numbers` has room for.
void vtk_numbers(const VtkType& type, const unsigned char* bytes, bool big_endian, std::span<double> numbers);

/// Returns the number of a word; not finite if it is nan, inf or too large. Throws Error(format) if it is not a number.
double vtk_number_of_word(WordReader& words, std::string_view word, const std::string& of);

/// Throws Error(format): the values of `of` end after `done` of `count`.
[[noreturn]] void fail_at_end(const WordReader& words, bool is_binary, const std::string& of, std::int64_t done,
                              std::int64_t count);

/// Calls f(k, value) for `count` values, which are words or bytes.
template <class F>
void read_vtk_values(WordReader& words, bool is_binary, const VtkType& type, std::int64_t count, const std::string& of, F&& f) {
  if (!is_binary) {
    for (std::int64_t k = 0; k < count; ++k) {
      const std::string_view word = words.word();
      if (word.empty()) fail_at_end(words, is_binary, of, k, count);
      f(k, vtk_number_of_word(words, word, of));
    }
    return;
  }
  std::vector<char> block(1 << 16);
  const bool bits = type.kind == VtkType::bit;
  const std::int64_t size = bits ? 1 : type.size, each = bits ? 8 : 1;  // values of an element
  for (std::int64_t done = 0; done < count;) {
    const std::int64_t elements =
        std::min<std::int64_t>((count - done + each - 1) / each, static_cast<std::int64_t>(block.size()) / size);
    const std::size_t wanted = static_cast<std::size_t>(elements * size);
    const std::size_t got = words.bytes(std::span(block).first(wanted));
    if (got < wanted) fail_at_end(words, is_binary, of, done + static_cast<std::int64_t>(got) / size * each, count);
    const auto* bytes = reinterpret_cast<const unsigned char*>(block.data());
    const std::int64_t last = std::min(count, done + elements * each);
    for (std::int64_t k = done; k < last; ++k) {
      f(k, bits ? bytes[(k - done) / 8] >> (7 - (k - done) % 8) & 1 : vtk_number(type, bytes + (k - done) * size, true));
    }
    done = last;
  }
}

}  // namespace hgrid::io
