// SPDX-License-Identifier: BSD-3-Clause
// Kinds of files that are not read, told by their first bytes, and the line that makes of each a kind that is.
#pragma once

#include <string>
#include <string_view>

namespace hgrid::io {

/// What a file with these first bytes is, if it is no kind that is read, and how to convert it; empty if that is not known. The
/// line names the file where its path needs no quotes.
std::string other_kind(std::string_view head, const std::string& path);

}  // namespace hgrid::io
