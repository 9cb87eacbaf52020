// SPDX-License-Identifier: BSD-3-Clause
// File formats that hgrid does not read, recognized by their first bytes, and for each the command that converts it.
#pragma once

#include <string>
#include <string_view>

namespace hgrid::io {

/// Returns what a file with these first bytes is, if it is not read, and how to convert it; empty if unknown. The command names
/// the file if its path needs no quotes.
std::string other_kind(std::string_view head, const std::string& path);

}  // namespace hgrid::io
