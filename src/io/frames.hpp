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
  /// Throws Error(invalid_argument) if the frame asked for is not among the `frames` that the file has.
  void require_among(std::int64_t frames, const std::string& file) const;

 private:
  std::optional<std::int64_t> chosen_;
};

}  // namespace hgrid::io
