// SPDX-License-Identifier: BSD-3-Clause
// Lines of a text in bounded memory, and errors that name a line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/byte_source.hpp"

namespace hgrid::io {

/// Throws Error(format) "NAME, line N: reason".
[[noreturn]] void fail_at_line(const std::string& name, std::int64_t line, const std::string& reason);

class LineReader {
 public:
  /// A UTF-8 byte order mark at the front of the file is dropped.
  LineReader(ByteSource& source, std::size_t max_line);

  /// Sets the next line without its end (LF or CRLF), valid until the next call. Returns false at the end. Throws Error(format)
  /// for a line longer than the limit and for a NUL byte, which no text has.
  bool next(std::string_view& line);
  /// Sets the next line like `next`, but skips lines that hold only blanks.
  bool next_filled(std::string_view& line);

  /// Returns the offset of the line that `next` will return.
  std::int64_t offset() const { return source_.offset() - static_cast<std::int64_t>(end_ - begin_); }
  /// Returns the 1-based number of the line that `next` returned last.
  std::int64_t number() const { return number_; }
  const std::string& name() const { return source_.name(); }

 private:
  void refill();

  ByteSource& source_;
  std::size_t max_line_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;  // of the bytes not yet returned
  bool at_end_ = false;
  std::int64_t number_ = 0;
};

}  // namespace hgrid::io
