// SPDX-License-Identifier: BSD-3-Clause
// The first column of text tables: tables of several frames have the frame there.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

namespace hgrid::io {

/// For a table of several frames: the number with which the rows begin, and whether the header must still be written.
struct FrameColumn {
  std::optional<std::int64_t> frame = {};
  bool header = true;

  /// Adds the header to the text, if it is due, and returns the text with which each row begins.
  std::string begin(std::string_view names, fmt::memory_buffer& text) const {
    if (header) fmt::format_to(std::back_inserter(text), "{}{}\n", frame ? "frame," : "", names);
    return frame ? fmt::format("{},", *frame) : "";
  }
};

}  // namespace hgrid::io
