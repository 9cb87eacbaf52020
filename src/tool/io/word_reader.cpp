// SPDX-License-Identifier: BSD-3-Clause
#include "io/word_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "hgrid/core/error.hpp"
#include "io/line_reader.hpp"

namespace hgrid::io {
namespace {

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

}  // namespace

WordReader::WordReader(ByteSource& source) : source_(source), buffer_(1 << 18) {}

/// Keeps the bytes that are not yet returned, and adds others; returns false at the end.
bool WordReader::refill() {
  std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= begin_, begin_ = 0;
  const std::size_t got = source_.read(std::span(buffer_).subspan(end_));
  end_ += got;
  return got > 0;
}

bool WordReader::skip_blanks() {
  while (true) {
    while (begin_ < end_ && is_space(buffer_[begin_])) number_ += buffer_[begin_++] == '\n' ? 1 : 0;
    if (begin_ < end_) return true;
    if (!refill()) return false;
  }
}

std::string_view WordReader::word() {
  if (!skip_blanks()) return {};
  std::size_t length = 0;
  while (true) {
    while (begin_ + length < end_ && !is_space(buffer_[begin_ + length])) ++length;
    if (length > longest) fail_at_line(name(), number_, fmt::format("a word of more than {} bytes", longest));
    if (begin_ + length < end_ || !refill()) break;
  }
  const std::string_view found(buffer_.data() + begin_, length);
  begin_ += length;
  return found;
}

bool WordReader::skip_word(std::string_view expected, bool bytes_may_come) {
  if (!bytes_may_come && !skip_blanks()) return false;
  while (end_ - begin_ <= expected.size() && refill()) {
  }
  const std::string_view ahead(buffer_.data() + begin_, end_ - begin_);
  if (!ahead.starts_with(expected) || (ahead.size() > expected.size() && !is_space(ahead[expected.size()]))) return false;
  begin_ += expected.size();
  return true;
}

bool WordReader::line(std::string_view& rest) {
  std::size_t length = 0;
  while (true) {
    while (begin_ + length < end_ && buffer_[begin_ + length] != '\n') ++length;
    if (length > longest) fail_at_line(name(), number_, fmt::format("longer than {} bytes", longest));
    if (begin_ + length < end_ || !refill()) break;
  }
  if (begin_ == end_) return false;
  rest = std::string_view(buffer_.data() + begin_, length);
  const bool ended = begin_ + length < end_;
  begin_ += length + (ended ? 1 : 0);
  number_ += ended ? 1 : 0;
  if (!rest.empty() && rest.back() == '\r') rest.remove_suffix(1);
  return true;
}

std::size_t WordReader::bytes(std::span<char> into) {
  std::size_t done = 0;
  while (done < into.size() && (begin_ < end_ || refill())) {
    const std::size_t count = std::min(into.size() - done, end_ - begin_);
    std::memcpy(into.data() + done, buffer_.data() + begin_, count);
    begin_ += count, done += count;
  }
  return done;
}

}  // namespace hgrid::io
