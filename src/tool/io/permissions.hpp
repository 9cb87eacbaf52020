// SPDX-License-Identifier: BSD-3-Clause
// The permissions of a file that replaces another.
#pragma once

#include <string>

namespace hgrid::io {

/// Returns whether this user may write the file. A file that nobody may write is read-only also for root, who may do anything.
bool may_be_replaced(const std::string& path);

/// Gives the open file the owner, group and mode of the file at `path`, or fewer rights: the group has none if it would be
/// another group, or if the group's rights come from an access list (ACL).
void take_permissions_of(const std::string& path, int descriptor);

}  // namespace hgrid::io
