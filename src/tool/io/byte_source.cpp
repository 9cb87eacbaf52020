// SPDX-License-Identifier: BSD-3-Clause
#include "io/byte_source.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <system_error>

#include "hgrid/core/error.hpp"
#include "io/printable.hpp"

namespace hgrid::io {
namespace {

[[noreturn]] void fail(const std::string& name, const std::string& reason) {
  throw Error(ErrorCode::io, fmt::format("{}: {}", name, reason));
}

std::string reason_of(int error) { return std::generic_category().message(error); }

int open_for_reading(const std::string& path, const std::string& name) {
  if (path.empty()) fail("''", "cannot read: the file name is empty");
  if (path == "-") return STDIN_FILENO;
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) fail(name, "cannot open: " + reason_of(errno));
  return descriptor;
}

}  // namespace

ByteSource::ByteSource(const std::string& path, const ReadOptions& options)
    : name_(path == "-" ? "standard input" : printable_path(path)),
      descriptor_(open_for_reading(path, name_)),
      owns_descriptor_(path != "-"),
      limit_(options.max_stream_bytes),
      unpacked_limit_(options.max_stream_bytes) {
  struct stat status {};
  const int rc = ::fstat(descriptor_, &status);
  const int error = rc != 0 ? errno : S_ISDIR(status.st_mode) ? EISDIR : 0;
  if (error != 0) {
    if (owns_descriptor_) ::close(descriptor_);  // the destructor of a half-built object does not run
    fail(name_, "cannot read: " + reason_of(error));
  }
  if (S_ISREG(status.st_mode)) limit_ = std::numeric_limits<std::int64_t>::max(), size_ = status.st_size;
}

ByteSource::~ByteSource() {
  if (owns_descriptor_) ::close(descriptor_);
}

std::string_view ByteSource::peek(std::size_t count) {
  peeked_.erase(0, peeked_taken_);
  peeked_taken_ = 0;
  std::size_t filled = peeked_.size();
  if (filled < count) {
    peeked_.resize(count);
    while (filled < count) {
      const std::size_t got = read_some(std::span(peeked_).subspan(filled));
      if (got == 0) break;
      filled += got;
    }
    peeked_.resize(filled);
  }
  return std::string_view(peeked_).substr(0, count);
}

std::optional<std::int64_t> ByteSource::size() const {
  return size_ < 0 || !begun_ || gunzip_ || !owns_descriptor_ ? std::nullopt : std::optional(size_);
}

void ByteSource::go_to(std::int64_t begin, std::int64_t end) {
  if (::lseek(descriptor_, begin, SEEK_SET) != begin) {
    fail(name_, fmt::format("cannot go to byte {}: {}", begin, reason_of(errno)));
  }
  peeked_.clear(), peeked_taken_ = 0;
  offset_ = begin, left_ = end - begin;
}

std::size_t ByteSource::read(std::span<char> into) {
  std::size_t count = std::min(into.size(), peeked_.size() - peeked_taken_);
  if (count > 0) {
    std::memcpy(into.data(), peeked_.data() + peeked_taken_, count);
    peeked_taken_ += count;
  } else {
    count = read_some(into);
  }
  offset_ += static_cast<std::int64_t>(count);
  return count;
}

std::size_t ByteSource::read_some(std::span<char> into) {
  if (!begun_) {
    begun_ = true;
    std::size_t got = 0;
    for (std::size_t more = 1; more > 0 && got < std::min(into.size(), gzip_magic.size()); got += more) {
      more = receive(into.subspan(got));
    }
    const std::string_view begin(into.data(), got);
    if (!begin.starts_with(gzip_magic)) return got;
    gunzip_.emplace(name_, begin, [this](std::span<char> some) { return receive(some); });
  }
  if (!gunzip_) return receive(into);
  const std::size_t got = gunzip_->read(into);
  unpacked_ += static_cast<std::int64_t>(got);
  if (unpacked_ > unpacked_limit_) {
    throw Error(ErrorCode::format, fmt::format("{}: unpacks to more than the limit of {} bytes", name_, unpacked_limit_));
  }
  return got;
}

std::size_t ByteSource::receive(std::span<char> into) {
  const auto most = std::min(into.size(), static_cast<std::size_t>(left_));
  ssize_t got;
  do {
    got = ::read(descriptor_, into.data(), most);
  } while (got < 0 && errno == EINTR);
  if (got < 0) fail(name_, fmt::format("cannot read at byte {}: {}", offset_, reason_of(errno)));
  received_ += got, left_ -= got;
  if (received_ > limit_) {
    throw Error(ErrorCode::format, fmt::format("{}: the stream is longer than the limit of {} bytes", name_, limit_));
  }
  return static_cast<std::size_t>(got);
}

}  // namespace hgrid::io
