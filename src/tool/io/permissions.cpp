// SPDX-License-Identifier: BSD-3-Clause
#include "io/permissions.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

namespace hgrid::io {

bool may_be_replaced(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && (status.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)) != 0 &&
         ::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) == 0;
}

void take_permissions_of(const std::string& path, int descriptor) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return;
  mode_t mode = status.st_mode & (S_IRWXU | S_IRWXG | S_IRWXO);
  const bool has_its_group = ::fchown(descriptor, status.st_uid, status.st_gid) == 0 ||
                             ::fchown(descriptor, static_cast<uid_t>(-1), status.st_gid) == 0;
  const bool has_list = ::getxattr(path.c_str(), "system.posix_acl_access", nullptr, 0) > 0;
  if (!has_its_group || has_list) mode &= ~static_cast<mode_t>(S_IRWXG);
  ::fchmod(descriptor, mode);
}

}  // namespace hgrid::io
