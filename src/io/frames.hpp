// SPDX-License-Identifier: BSD-3-Clause
// Frames of a trajectory. The last one is known only at the end, so the text of the latest is kept and parsed
// once: earlier frames cost their bytes, not their numbers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

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
};

/// Which frame the options ask for.
class FrameChoice {
 public:
  explicit FrameChoice(const ReadOptions& options);
  bool wants(std::int64_t frame) const { return !chosen_ || *chosen_ == frame; }
  /// Whether nothing after this frame matters.
  bool ends_with(std::int64_t frame) const { return chosen_ && *chosen_ == frame; }
  /// Throws Error(invalid_argument) if the frame asked for is not among the `frames` that the file has, and Error(format) if there
  /// are none.
  void require_among(std::int64_t frames, const std::string& file) const;

 private:
  std::optional<std::int64_t> chosen_;
};

/// The head of the frame that the options ask for, whose rows `rows` then holds, of frames that are a head and rows:
/// read_head(line) reads on from a head's first line, and `count` of what it returns is the number of rows. Throws as `take` and
/// `require_among` do.
template <class ReadHead>
auto read_chosen_frame(LineReader& lines, const ReadOptions& options, FrameRows& rows, const ReadHead& read_head) {
  const FrameChoice choice(options);
  decltype(read_head(std::string_view{})) chosen{};
  std::int64_t frames = 0;
  for (std::string_view line; !choice.ends_with(frames - 1) && lines.next_filled(line); ++frames) {
    auto head = read_head(line);
    rows.take(lines, head.count, choice.wants(frames), {});
    if (choice.wants(frames)) chosen = std::move(head);
  }
  choice.require_among(frames, lines.name());
  return chosen;
}

}  // namespace hgrid::io
