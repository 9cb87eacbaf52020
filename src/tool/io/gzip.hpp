// SPDX-License-Identifier: BSD-3-Clause
// Unpacks gzip, by zlib.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

struct z_stream_s;

namespace hgrid::io {

constexpr std::string_view gzip_magic = "\x1F\x8B";

/// The bytes in a stream of one or more gzip members. Unlike gzip it accepts only members, since other bytes after a member may
/// be a damaged further one.
class Gunzip {
 public:
  /// `begin` are bytes of the stream that have been read already; read(into) returns the bytes after them, 0 only at the end.
  Gunzip(std::string name, std::string_view begin, std::function<std::size_t(std::span<char>)> read);

  /// Takes up to into.size() bytes; returns 0 only at the end. Throws Error(format) if the stream is damaged or ends too early.
  std::size_t read(std::span<char> into);

 private:
  bool refill();

  struct End {
    void operator()(z_stream_s* stream) const;
  };
  std::string name_;
  std::function<std::size_t(std::span<char>)> read_;
  std::vector<char> compressed_;
  std::unique_ptr<z_stream_s, End> stream_;
  bool in_member_ = true;
};

}  // namespace hgrid::io
