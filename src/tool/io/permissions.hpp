// SPDX-License-Identifier: BSD-3-Clause
// What a file that takes another's place may let others do.
#pragma once

#include <string>

namespace hgrid::io {

/// Whether this user may write the file. Also for root, who may do anything, a file that nobody may write is read-only.
bool may_be_replaced(const std::string& path);

/// Gives the open file the owner, group and mode of the file at `path`, or less: the group has no rights where it would be
/// another, or where an access list (ACL) says what it may do.
void take_permissions_of(const std::string& path, int descriptor);

}  // namespace hgrid::io
