// SPDX-License-Identifier: BSD-3-Clause
// How tables of text begin: those of several frames have a column for it.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

namespace hgrid::io {

/// For a table of several frames: the number that the rows begin with, and whether the header is yet to be written.
struct FrameColumn {
  std::optional<std::int64_t> frame = {};
  bool header = true;

  /// Adds the header to the text, if it is due, and returns that which each row begins with.
  std::string begin(std::string_view names, fmt::memory_buffer& text) const {
    if (header) fmt::format_to(std::back_inserter(text), "{}{}\n", frame ? "frame," : "", names);
    return frame ? fmt::format("{},", *frame) : "";
  }
};

}  // namespace hgrid::io
