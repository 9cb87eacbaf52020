// SPDX-License-Identifier: BSD-3-Clause
#include "io/gzip.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <new>

#include "hgrid/core/error.hpp"

namespace hgrid::io {
namespace {

Bytef* as_bytes(char* text) { return reinterpret_cast<Bytef*>(text); }

}  // namespace

void Gunzip::End::operator()(z_stream_s* stream) const {
  inflateEnd(stream);
  delete stream;
}

Gunzip::Gunzip(std::string name, std::string_view begin, std::function<std::size_t(std::span<char>)> read)
    : name_(std::move(name)), read_(std::move(read)), compressed_(std::max<std::size_t>(begin.size(), 1 << 16)) {
  static constexpr int gzip_only = 16 + MAX_WBITS;
  auto stream = std::make_unique<z_stream>();
  if (inflateInit2(stream.get(), gzip_only) != Z_OK) throw std::bad_alloc();
  stream_.reset(stream.release());
  std::ranges::copy(begin, compressed_.begin());
  stream_->next_in = as_bytes(compressed_.data());
  stream_->avail_in = static_cast<uInt>(begin.size());
}

bool Gunzip::refill() {
  if (stream_->avail_in > 0) return true;
  stream_->next_in = as_bytes(compressed_.data());
  stream_->avail_in = static_cast<uInt>(read_(compressed_));
  return stream_->avail_in > 0;
}

std::size_t Gunzip::read(std::span<char> into) {
  const auto size = static_cast<uInt>(std::min<std::size_t>(into.size(), 1 << 30));
  stream_->next_out = as_bytes(into.data());
  stream_->avail_out = size;
  while (stream_->avail_out == size && size > 0) {
    const bool more = refill();
    if (!in_member_ && !more) return 0;
    if (!more) throw Error(ErrorCode::format, name_ + ": the compressed data ends early; was the file cut off?");
    if (!in_member_) inflateReset(stream_.get());
    const int status = inflate(stream_.get(), Z_NO_FLUSH);
    in_member_ = status != Z_STREAM_END;
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    if (status != Z_OK && status != Z_STREAM_END) {
      throw Error(ErrorCode::format, fmt::format("{}: the compressed data is damaged: {}", name_,
                                                 stream_->msg != nullptr ? stream_->msg : "no gzip stream"));
    }
  }
  return size - stream_->avail_out;
}

}  // namespace hgrid::io
