// SPDX-License-Identifier: BSD-3-Clause
#include "io/vtk_blocks.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <new>
#include <utility>

#include "hgrid/core/error.hpp"

namespace hgrid::io {

void VtkBlocks::End::operator()(z_stream_s* stream) const {
  inflateEnd(stream);
  delete stream;
}

VtkBlocks::VtkBlocks(const VtkEncoding& encoding, std::int64_t expected, Sink sink, Fail fail)
    : encoding_(encoding),
      expected_(static_cast<std::uint64_t>(expected)),
      sink_(std::move(sink)),
      fail_(std::move(fail)),
      left_(expected == 0 ? 0 : encoding.word * (encoding.compressed ? 3 : 1)) {}

void VtkBlocks::take(std::string_view bytes) {
  while (!bytes.empty() && left_ > 0) {
    const std::string_view some = bytes.substr(0, static_cast<std::size_t>(left_));
    bytes.remove_prefix(some.size());
    left_ -= std::ssize(some);
    if (state_ == State::data) {
      encoding_.compressed ? inflate_some(some) : sink_(some);
      continue;
    }
    words_ += some;
    if (state_ == State::sizes || left_ == 0) take_words();
  }
}

/// Takes the words of the header that have arrived.
void VtkBlocks::take_words() {
  const auto width = static_cast<std::size_t>(encoding_.word);
  std::vector<std::uint64_t> words;
  for (std::size_t at = 0; at + width <= words_.size(); at += width) {
    std::uint64_t word = 0;
    for (std::size_t k = 0; k < width; ++k) {
      word = word << 8 | static_cast<unsigned char>(words_[at + (encoding_.big_endian ? k : width - 1 - k)]);
    }
    words.push_back(word);
  }
  words_.erase(0, words.size() * width);
  if (state_ == State::sizes) {
    sizes_.insert(sizes_.end(), words.begin(), words.end());
    if (left_ == 0) begin_block();
    return;
  }
  if (encoding_.compressed) return begin_blocks(words[0], words[1], words[2]);
  if (words[0] != expected_) fail_(fmt::format("its header says {} bytes, but {} are expected", words[0], expected_));
  state_ = State::data, left_ = static_cast<std::int64_t>(expected_);
}

void VtkBlocks::begin_blocks(std::uint64_t count, std::uint64_t size, std::uint64_t last) {
  last_size_ = last == 0 ? size : last;
  const bool bounded = size > 0 && last <= size && count > 0 && count - 1 <= expected_ / size;
  if (!bounded || (count - 1) * size + last_size_ != expected_) {
    fail_(fmt::format("its header says {} blocks of {} bytes, the last of {}, but {} bytes are expected", count, size, last,
                      expected_));
  }
  full_size_ = size;
  state_ = State::sizes, left_ = static_cast<std::int64_t>(count) * encoding_.word;
}

void VtkBlocks::begin_block() {
  static constexpr std::uint64_t most = std::uint64_t{1} << 56;
  if (sizes_[block_] == 0 || sizes_[block_] > most) fail_(fmt::format("block {} has {} bytes", block_, sizes_[block_]));
  if (!stream_) {
    auto stream = std::make_unique<z_stream>();
    if (inflateInit(stream.get()) != Z_OK) throw std::bad_alloc();
    stream_.reset(stream.release());
    plain_.resize(1 << 16);
  } else {
    inflateReset(stream_.get());
  }
  inflated_ = 0;
  state_ = State::data, left_ = static_cast<std::int64_t>(sizes_[block_]);
}

void VtkBlocks::inflate_some(std::string_view bytes) {
  stream_->next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream_->avail_in = static_cast<uInt>(bytes.size());
  int status = Z_OK;
  do {
    stream_->next_out = reinterpret_cast<Bytef*>(plain_.data());
    stream_->avail_out = static_cast<uInt>(plain_.size());
    status = inflate(stream_.get(), Z_NO_FLUSH);
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) {
      fail_(fmt::format("block {} is damaged: {}", block_, stream_->msg != nullptr ? stream_->msg : "no zlib stream"));
    }
    const std::size_t got = plain_.size() - stream_->avail_out;
    inflated_ += got;
    if (inflated_ > block_bytes()) fail_(fmt::format("block {} unpacks to more than {} bytes", block_, block_bytes()));
    sink_({plain_.data(), got});
  } while (stream_->avail_out == 0 && status == Z_OK);
  if (left_ > 0 && status != Z_STREAM_END) return;
  if (left_ > 0 || status != Z_STREAM_END || inflated_ != block_bytes() || stream_->avail_in > 0) {
    fail_(fmt::format("block {} unpacks to {} bytes, not {}, or ends elsewhere than its header says", block_, inflated_,
                      block_bytes()));
  }
  if (++block_ < sizes_.size()) begin_block();
}

}  // namespace hgrid::io
