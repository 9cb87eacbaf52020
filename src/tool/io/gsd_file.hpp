// SPDX-License-Identifier: BSD-3-Clause
// The layout of GSD: a header, a list of names, an index, and chunks of numbers, each with a name and a frame.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/byte_source.hpp"
#include "io/vtk_values.hpp"

namespace hgrid::io {

inline constexpr std::string_view gsd_magic = "\xDF\x65\xDF\x65\xDF\x65\xDF\x65";

/// Numbers of a frame, in rows.
struct GsdChunk {
  std::int64_t frame = 0, rows = 0, columns = 0, location = 0;
  VtkType type;
};

class GsdFile {
 public:
  /// Reads header, names and index. Throws Error(format) naming the byte, and Error(unsupported) for a stream, because parts of
  /// the file are read again.
  explicit GsdFile(ByteSource& source);

  std::int64_t frames() const { return frames_; }
  const std::string& schema() const { return schema_; }
  const std::string& application() const { return application_; }
  /// Returns the chunk of a name in a frame; null if there is none.
  const GsdChunk* find(const std::string& name, std::int64_t frame) const;
  /// Calls f(name) for each name that has chunks.
  template <class F>
  void for_each_name(F&& f) const {
    for (const auto& [name, chunks] : chunks_) f(name);
  }
  /// Calls f(k, value) for the numbers of a chunk, row by row. Throws Error(format) if the file ends too early.
  template <class F>
  void read(const GsdChunk& chunk, F&& f) {
    const std::int64_t size = chunk.type.size, count = chunk.rows * chunk.columns;
    std::string block;
    for (std::int64_t done = 0; done < count;) {
      const std::int64_t some = std::min<std::int64_t>(count - done, 1 << 13);
      block = bytes(chunk.location + done * size, some * size, "a chunk");
      for (std::int64_t k = 0; k < some; ++k) {
        f(done + k, vtk_number(chunk.type, reinterpret_cast<const unsigned char*>(block.data()) + k * size, false));
      }
      done += some;
    }
  }

 private:
  std::string bytes(std::int64_t location, std::int64_t count, const char* of);
  void read_names(std::int64_t location, std::int64_t blocks, bool blocks_apart);
  void read_index(std::int64_t location, std::int64_t entries);
  void add_entry(const char* entry, std::int64_t byte);

  ByteSource& source_;
  std::int64_t size_, frames_ = 0;
  std::string application_, schema_;
  std::vector<std::string> names_;                       // by their numbers
  std::map<std::string, std::vector<GsdChunk>> chunks_;  // by their frames, which ascend
};

}  // namespace hgrid::io
