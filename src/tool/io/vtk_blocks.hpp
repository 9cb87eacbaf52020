// SPDX-License-Identifier: BSD-3-Clause
// The bytes of an array in VTK's XML: a header with their number, and the bytes, which may be compressed in blocks.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct z_stream_s;

namespace hgrid::io {

/// The encoding of all arrays of a file.
struct VtkEncoding {
  bool big_endian = false;
  int word = 4;  ///< bytes of each number of a header
  bool compressed = false;
};

class VtkBlocks {
 public:
  using Sink = std::function<void(std::string_view)>;
  using Fail = std::function<void(const std::string&)>;

  /// `sink` takes the `expected` bytes of the array, piece by piece. `fail` throws the error of a header that states another
  /// number, and of damaged bytes.
  VtkBlocks(const VtkEncoding& encoding, std::int64_t expected, Sink sink, Fail fail);

  /// Returns how many more bytes there are at least; 0 if the array is complete.
  std::int64_t missing() const { return left_; }
  /// Takes bytes. More bytes than are missing may come only after a complete array; they are ignored.
  void take(std::string_view bytes);

 private:
  enum class State { head, sizes, data };

  void take_words();
  void begin_blocks(std::uint64_t count, std::uint64_t size, std::uint64_t last);
  void begin_block();
  void inflate_some(std::string_view bytes);
  std::uint64_t block_bytes() const { return block_ + 1 == sizes_.size() ? last_size_ : full_size_; }

  struct End {
    void operator()(z_stream_s* stream) const;
  };
  VtkEncoding encoding_;
  std::uint64_t expected_;
  Sink sink_;
  Fail fail_;
  State state_ = State::head;
  std::int64_t left_;
  std::string words_;                            // of the header, as they arrive
  std::vector<std::uint64_t> sizes_;             // compressed, of all blocks
  std::uint64_t full_size_ = 0, last_size_ = 0;  // unpacked, of a block and of the last one
  std::size_t block_ = 0;
  std::uint64_t inflated_ = 0;  // of this block
  std::unique_ptr<z_stream_s, End> stream_;
  std::vector<char> plain_;
};

}  // namespace hgrid::io
