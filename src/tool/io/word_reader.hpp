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

  /// The next word, valid until the next call; empty at the end. Throws Error(format) at one of more than 4096 bytes.
  std::string_view word();
  /// The rest of this line without its end, or the next line where this one has ended; false at the end of the file. Throws
  /// Error(format) where it is longer than 4096 bytes.
  bool line(std::string_view& rest);
  /// Takes as many raw bytes; gives how many there were.
  std::size_t bytes(std::span<char> into);
  /// Returns whether the next word is this one, and takes it if so. Where bytes may come instead, blanks belong to them.
  bool skip_word(std::string_view expected, bool bytes_may_come);

  /// 1-based number of the line that the reader is in; raw bytes count as none.
  std::int64_t number() const { return number_; }
  std::int64_t offset() const { return source_.offset() - static_cast<std::int64_t>(end_ - begin_); }
  const std::string& name() const { return source_.name(); }

 private:
  bool refill();
  bool skip_blanks();

  static constexpr std::size_t longest = 4096;
  ByteSource& source_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;  // of the bytes not yet given out
  std::int64_t number_ = 1;
};

}  // namespace hgrid::io
