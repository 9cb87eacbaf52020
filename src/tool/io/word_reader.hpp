// SPDX-License-Identifier: BSD-3-Clause
// Words of a text between any blanks and ends of lines, and raw bytes between them, in bounded memory.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/byte_source.hpp"

namespace hgrid::io {

class WordReader {
 public:
  explicit WordReader(ByteSource& source);

  /// Returns the next word, valid until the next call; empty at the end. Throws Error(format) for a word of more than 4096
  /// bytes.
  std::string_view word();
  /// Sets the rest of this line without its end, or the next line if this one has ended. Returns false at the end of the file.
  /// Throws Error(format) if it is longer than 4096 bytes.
  bool line(std::string_view& rest);
  /// Takes raw bytes; returns how many there were.
  std::size_t bytes(std::span<char> into);
  /// Returns whether the next word is this one, and takes it if so. If bytes may come instead, blanks belong to them.
  bool skip_word(std::string_view expected, bool bytes_may_come);

  /// Returns the 1-based number of the current line; raw bytes do not count.
  std::int64_t number() const { return number_; }
  std::int64_t offset() const { return source_.offset() - static_cast<std::int64_t>(end_ - begin_); }
  const std::string& name() const { return source_.name(); }

 private:
  bool refill();
  bool skip_blanks();

  static constexpr std::size_t longest = 4096;
  ByteSource& source_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;  // of the bytes not yet returned
  std::int64_t number_ = 1;
};

}  // namespace hgrid::io
