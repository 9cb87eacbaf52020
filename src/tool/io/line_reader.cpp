// SPDX-License-Identifier: BSD-3-Clause
#include "io/line_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "hgrid/core/error.hpp"
#include "io/fields.hpp"

namespace hgrid::io {

void fail_at_line(const std::string& name, std::int64_t line, const std::string& reason) {
  Error::Detail detail;
  detail.argument = name;
  detail.index = line;
  detail.count = 1;
  throw Error(ErrorCode::format, fmt::format("{}, line {}: {}", name, line, reason), detail);
}

LineReader::LineReader(ByteSource& source, std::size_t max_line) : source_(source), max_line_(max_line), buffer_(1 << 18) {
  static constexpr std::string_view mark = "\xEF\xBB\xBF";
  char dropped[3];
  if (source_.offset() == 0 && source_.peek(mark.size()) == mark) source_.read(dropped);
}

bool LineReader::next(std::string_view& line) {
  const char* end_of_line = nullptr;
  std::size_t searched = 0;
  while (true) {
    const char* from = buffer_.data() + begin_ + searched;
    const std::size_t size = end_ - begin_ - searched;
    end_of_line = size == 0 ? nullptr : static_cast<const char*>(std::memchr(from, '\n', size));
    if (end_of_line != nullptr || at_end_ || end_ - begin_ > max_line_) break;
    searched = end_ - begin_;
    refill();
  }
  if (end_of_line == nullptr && begin_ == end_) return false;

  ++number_;
  const char* begin = buffer_.data() + begin_;
  const char* end = end_of_line != nullptr ? end_of_line : buffer_.data() + end_;
  begin_ = static_cast<std::size_t>(end - buffer_.data()) + (end_of_line != nullptr ? 1 : 0);
  line = std::string_view(begin, static_cast<std::size_t>(end - begin));
  if (line.size() > max_line_) {
    fail_at_line(name(), number_, fmt::format("longer than {} bytes; is this a table of particles?", max_line_));
  }
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return true;
}

bool LineReader::next_filled(std::string_view& line) {
  while (next(line)) {
    if (!trim(line).empty()) return true;
  }
  return false;
}

void LineReader::refill() {
  std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_), buffer_.begin() + static_cast<std::ptrdiff_t>(end_),
            buffer_.begin());
  end_ -= begin_;
  begin_ = 0;
  if (end_ == buffer_.size()) buffer_.resize(2 * end_);  // one line fills it; `next` limits how often
  const std::int64_t offset = source_.offset();
  const std::size_t got = source_.read(std::span(buffer_).subspan(end_));
  at_end_ = got == 0;
  if (const void* nul = got == 0 ? nullptr : std::memchr(buffer_.data() + end_, 0, got)) {
    const auto at = offset + (static_cast<const char*>(nul) - (buffer_.data() + end_));
    throw Error(ErrorCode::format, fmt::format("{}: NUL at byte {}: this is not a text file", name(), at));
  }
  end_ += got;
}

}  // namespace hgrid::io
