// SPDX-License-Identifier: BSD-3-Clause
// Bytes from outside, read once from front to back, so that a FIFO serves as well as a file. Compressed input (gzip) is
// unpacked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "io/gzip.hpp"
#include "io/particle_table.hpp"

namespace hgrid::io {

class ByteSource {
 public:
  /// Opens `path`; "-" is standard input. Throws Error(io) if it cannot be read: missing, a directory, ...
  ByteSource(const std::string& path, const ReadOptions& options);
  ~ByteSource();
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  /// Returns the next bytes without taking them: `count` of them, fewer only at the end.
  std::string_view peek(std::size_t count);
  /// Takes up to into.size() bytes; returns 0 only at the end.
  std::size_t read(std::span<char> into);
  std::int64_t offset() const { return offset_; }
  /// Returns the size of a file if any part of it can be read: it is neither a stream nor compressed. The first bytes must have
  /// been peeked.
  std::optional<std::int64_t> size() const;
  /// Continues with the bytes [begin, end) of such a file. Throws Error(io).
  void go_to(std::int64_t begin, std::int64_t end);
  /// Returns the path, escaped for messages.
  const std::string& name() const { return name_; }

 private:
  std::size_t read_some(std::span<char> into);
  std::size_t receive(std::span<char> into);

  std::string name_;
  int descriptor_ = -1;
  bool owns_descriptor_ = false;
  std::int64_t limit_;  // of bytes received: files are finite, streams need not be
  std::int64_t received_ = 0;
  std::int64_t unpacked_limit_, unpacked_ = 0;
  std::int64_t size_ = -1;                                        // of a file
  std::int64_t left_ = std::numeric_limits<std::int64_t>::max();  // bytes up to the end that was set
  bool begun_ = false;
  std::optional<Gunzip> gunzip_;
  std::int64_t offset_ = 0;
  std::string peeked_;
  std::size_t peeked_taken_ = 0;
};

}  // namespace hgrid::io
