// SPDX-License-Identifier: BSD-3-Clause
// Frames of a trajectory. The last one is known only at the end, so the text of the latest is kept, and only the requested ones
// are parsed: other frames cost their bytes, not their numbers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "io/line_reader.hpp"
#include "io/particle_table.hpp"

namespace hgrid::io {

class FrameRows {
 public:
  /// Takes the `count` rows of a frame, without blank lines, and forgets earlier rows; if `keep` is false it skips them. Throws
  /// Error(format) if the file ends, or a line starts with `boundary` (if not empty), before `count` rows.
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

/// A file as frames, each read once.
class FrameSource {
 public:
  virtual ~FrameSource() = default;
  /// Reads the next frame, and keeps it if `keep`. Returns false at the end of the file. Throws Error(format) if there is no
  /// valid frame.
  virtual bool pass(bool keep) = 0;
  /// Returns the frame kept last, without its number. Throws the errors of the format.
  virtual ParticleTable parse() = 0;
};

/// A format without frames has one.
template <ParticleTable (*read)(ByteSource&, const ReadOptions&)>
class SingleFrame final : public FrameSource {
 public:
  SingleFrame(ByteSource& source, const ReadOptions& options) : source_(source), options_(options) {}

  bool pass(bool) override { return !std::exchange(passed_, true); }
  ParticleTable parse() override { return read(source_, options_); }

 private:
  ByteSource& source_;
  const ReadOptions& options_;
  bool passed_ = false;
};

/// Frames with a head and rows. read_head(line, lines) continues from a head's first line; `count` of the head is the number of
/// rows; parse_frame(head, rows, name of the file, options) makes the table.
template <class Head, Head (*read_head)(std::string_view, LineReader&),
          ParticleTable (*parse_frame)(const Head&, const FrameRows&, const std::string&, const ReadOptions&)>
class HeadedFrames final : public FrameSource {
 public:
  HeadedFrames(ByteSource& source, const ReadOptions& options) : lines_(source, options.max_line), options_(options) {}

  bool pass(bool keep) override {
    std::string_view line;
    if (!lines_.next_filled(line)) return false;
    Head head = read_head(line, lines_);
    rows_.take(lines_, head.count, keep, {});
    if (keep) head_ = std::move(head);
    return true;
  }
  ParticleTable parse() override { return parse_frame(head_, rows_, lines_.name(), options_); }

 private:
  LineReader lines_;
  const ReadOptions& options_;
  FrameRows rows_;
  Head head_{};
};

}  // namespace hgrid::io
