// SPDX-License-Identifier: BSD-3-Clause
// Text from outside, made fit for a message: nothing in a file or a path may reach a terminal as it is.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace hgrid::io {

/// At most `limit` bytes of `text`, with control bytes and broken UTF-8 escaped; "..." says that more
/// followed.
std::string printable(std::string_view text, std::size_t limit = 64);

/// As `printable`, for paths: long enough to keep what a user would recognise.
inline std::string printable_path(std::string_view path) { return printable(path, 512); }

}  // namespace hgrid::io
