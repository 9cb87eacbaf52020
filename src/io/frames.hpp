// SPDX-License-Identifier: BSD-3-Clause
// Frames of a trajectory. The last one is known only at the end, so the text of the latest is kept, and only what is asked for
// is parsed: other frames cost their bytes, not their numbers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "io/line_reader.hpp"
#include "io/particle_table.hpp"

namespace hgrid::io {

class FrameRows {
 public:
  /// Takes the `count` rows of a frame, blank lines not counted, and forgets those taken before; with
  /// `keep == false` it passes over them. Throws Error(format) where the file ends, or a line starts with
  /// `boundary` (if not empty), before `count` rows.
  void take(LineReader& lines, std::int64_t count, bool keep, std::string_view boundary);

  /// Calls f(line, number) for each row kept.
  template <class F>
  void for_each(F&& f) const {
    std::int64_t number = first_line_;
    for (std::string_view rest = text_; !rest.empty(); ++number) {
      const std::size_t end = rest.find('\n');
      if (end > 0) f(rest.substr(0, end), number);
      rest.remove_prefix(end + 1);
    }
  }

 private:
  std::string text_;  // a '\n' after every row; blank lines stay as empty ones, to keep the count of lines
  std::int64_t first_line_ = 0;
  std::size_t next_memory_check_ = std::size_t{1} << 26;
};

/// A file as frames, each read over once.
class FrameSource {
 public:
  virtual ~FrameSource() = default;
  /// Reads over the next frame, and keeps it if `keep`; false at the end of the file. Throws Error(format) at what is no frame.
  virtual bool pass(bool keep) = 0;
  /// The frame kept last, without its number. Throws as the formats do.
  virtual ParticleTable parse() = 0;
};

/// A format without frames is one: read(source, options) gives its table.
template <class Read>
class SingleFrame final : public FrameSource {
 public:
  SingleFrame(ByteSource& source, const ReadOptions& options, Read read) : source_(source), options_(options), read_(read) {}

  bool pass(bool) override { return !std::exchange(passed_, true); }
  ParticleTable parse() override { return read_(source_, options_); }

 private:
  ByteSource& source_;
  const ReadOptions& options_;
  Read read_;
  bool passed_ = false;
};

/// Frames that are a head and rows: read_head(line) reads on from a head's first line, and `count` of what it returns is the
/// number of rows; parse(head, rows) makes the table.
template <class ReadHead, class Parse>
class HeadedFrames final : public FrameSource {
 public:
  HeadedFrames(ByteSource& source, const ReadOptions& options, ReadHead read_head, Parse parse)
      : lines_(source, options.max_line), read_head_(read_head), parse_(parse) {}

  bool pass(bool keep) override {
    std::string_view line;
    if (!lines_.next_filled(line)) return false;
    auto head = read_head_(line, lines_);
    rows_.take(lines_, head.count, keep, {});
    if (keep) head_ = std::move(head);
    return true;
  }
  ParticleTable parse() override { return parse_(head_, rows_, lines_.name()); }

 private:
  LineReader lines_;
  ReadHead read_head_;
  Parse parse_;
  FrameRows rows_;
  std::invoke_result_t<ReadHead, std::string_view, LineReader&> head_{};
};

}  // namespace hgrid::io
