// SPDX-License-Identifier: BSD-3-Clause
#include "io/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "hgrid/core/error.hpp"
#include "io/permissions.hpp"
#include "io/printable.hpp"

namespace hgrid::io {
namespace {

std::string folder_of(const std::string& target) {
  const std::size_t slash = target.rfind('/');
  return slash == std::string::npos ? "./" : target.substr(0, slash + 1);
}

/// Syncs a file. Also returns true if the file system does not support it.
bool is_synced(int descriptor) {
  int rc;
  do {
    rc = ::fsync(descriptor);
  } while (rc != 0 && errno == EINTR);
  return rc == 0 || errno == EINVAL || errno == ENOSYS || errno == ENOTSUP;
}

/// Syncs a folder, so that the new name survives a loss of power. The file exists in any case, so a failure is not an error of
/// the output.
void sync_folder(const std::string& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  is_synced(descriptor);
  ::close(descriptor);
}

int rename_to(const std::string& target, const std::string& temporary, unsigned flags) {
  return ::renameat2(AT_FDCWD, temporary.c_str(), AT_FDCWD, target.c_str(), flags);
}

bool is_regular_file(const std::string& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

}  // namespace

AtomicFile::AtomicFile(const std::string& path, bool overwrite) : path_(path), overwrite_(overwrite) {
  if (path.empty()) throw Error(ErrorCode::io, "'': cannot write: the file name is empty");
  if (path == "-") {
    descriptor_ = STDOUT_FILENO;
    return;
  }
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) {
    const bool dangling = errno == ENOENT && ::lstat(path.c_str(), &status) == 0;
    if (dangling) throw Error(ErrorCode::io, printable_path(path) + ": cannot write: a link to nothing");
    if (errno != ENOENT) fail("cannot write", errno);
    open_temporary(path, 0666);  // less the umask
    return;
  }
  if (S_ISDIR(status.st_mode)) fail("cannot write", EISDIR);
  if (S_ISBLK(status.st_mode)) throw Error(ErrorCode::io, printable_path(path) + ": is a block device");
  if (!S_ISREG(status.st_mode)) {
    descriptor_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail("cannot open", errno);
    return;
  }
  open_to_replace();
}

AtomicFile::~AtomicFile() { discard(); }

void AtomicFile::open_to_replace() {
  const std::string name = printable_path(path_);
  if (!overwrite_) throw Error(ErrorCode::invalid_argument, name + ": exists; --overwrite replaces it");
  if (!may_be_replaced(path_)) throw Error(ErrorCode::io, name + ": cannot replace: it is read-only");
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(path_, error);
  if (error) fail("cannot write", error.value());
  open_temporary(real.string(), 0600);
  take_permissions_of(target_, descriptor_);
}

void AtomicFile::open_temporary(const std::string& target, unsigned mode) {
  if (target.back() == '/') fail("cannot write", EISDIR);
  const std::string folder = folder_of(target);
  // The final name could be refused only at the rename, after the work; ENAMETOOLONG is known now.
  const std::size_t name_size = target.size() - (target.rfind('/') + 1);  // npos + 1 is 0
  if (name_size > NAME_MAX || target.size() >= PATH_MAX) fail("cannot write", ENAMETOOLONG);
  static std::atomic<unsigned> counter{0};
  for (int attempt = 0; attempt < 100; ++attempt) {
    // Not the target's name with a suffix: that name may have the greatest length already.
    const std::string name = fmt::format("{}.hgrid-{}-{}.tmp", folder, ::getpid(), counter++);
    pending_.emplace(name);  // before the file exists: a signal may come at any time
    descriptor_ = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (descriptor_ >= 0) {
      target_ = target, temporary_ = name;
      return;
    }
    const int error = errno;
    pending_.reset();  // the existing file is not ours, but left by a killed process with this number
    if (error != EEXIST) fail("cannot write into its folder", error);
  }
  fail("cannot find a name for a temporary in its folder", EEXIST);
}

void AtomicFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(descriptor_, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) fail("cannot write", errno);
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
}

void AtomicFile::commit_all(std::span<AtomicFile* const> files) {
  for (AtomicFile* file : files) {
    if (file != nullptr) file->finish();
  }
  const NamesBeingTaken held_back;
  try {
    for (AtomicFile* file : files) {
      if (file != nullptr && !file->target_.empty()) file->take_name();
    }
  } catch (...) {
    for (AtomicFile* file : files) {
      if (file != nullptr) file->give_name_back();
    }
    throw;
  }
  for (AtomicFile* file : files) {
    if (file != nullptr && !file->target_.empty()) file->keep_name();
  }
}

void AtomicFile::finish() {
  if (is_standard_output() || descriptor_ < 0) return;
  if (!target_.empty() && !is_synced(descriptor_)) fail("cannot write", errno);
  const int closed = ::close(descriptor_);
  descriptor_ = -1;
  if (closed != 0) fail("cannot close", errno);
}

/// Gives the file its name. A replaced file changes places with the temporary, so that it can come back.
void AtomicFile::take_name() {
  if (overwrite_ && is_regular_file(target_) && rename_to(target_, temporary_, RENAME_EXCHANGE) == 0) {
    named_ = Named::in_exchange;
    return;
  }
  int renamed = rename_to(target_, temporary_, RENAME_NOREPLACE);
  named_ = Named::as_new;
  if (renamed != 0 && (overwrite_ || errno == EINVAL)) {  // not a regular file, or a file system without these flags
    const bool is_there = ::access(target_.c_str(), F_OK) == 0;
    named_ = is_there ? Named::for_good : Named::as_new;
    renamed = is_there && !overwrite_ ? (errno = EEXIST, -1) : ::rename(temporary_.c_str(), target_.c_str());
  }
  if (renamed != 0) {
    const int error = errno;
    named_ = Named::no;
    fail(error == EEXIST ? "cannot take its name: it came into being during the work, and stays as it is "
                           "(--overwrite would replace it)"
                         : "cannot rename the finished temporary",
         error);
  }
}

void AtomicFile::give_name_back() noexcept {
  if (named_ == Named::in_exchange) rename_to(target_, temporary_, RENAME_EXCHANGE);
  if (named_ == Named::as_new) ::rename(target_.c_str(), temporary_.c_str());
  discard();
}

void AtomicFile::keep_name() {
  discard();  // the replaced file
  sync_folder(folder_of(target_));
}

void AtomicFile::discard() noexcept {
  if (descriptor_ >= 0 && !is_standard_output()) ::close(descriptor_);
  descriptor_ = -1;
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  temporary_.clear();
  pending_.reset();
}

void AtomicFile::fail(const char* what, int error) {
  discard();
  const std::string name = is_standard_output() ? "standard output" : printable_path(path_);
  throw Error(ErrorCode::io, fmt::format("{}: {}: {}", name, what, std::generic_category().message(error)));
}

}  // namespace hgrid::io
