// SPDX-License-Identifier: BSD-3-Clause
// Makes text from outside safe for a message: no byte of a file or a path may reach a terminal unchecked.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace hgrid::io {

/// Returns at most `limit` bytes of `text`, with control bytes and broken UTF-8 escaped; "..." marks that more followed.
std::string printable(std::string_view text, std::size_t limit = 64);

/// Returns `printable` text for paths: long enough that a user recognises it.
inline std::string printable_path(std::string_view path) { return printable(path, 512); }

}  // namespace hgrid::io
