// SPDX-License-Identifier: BSD-3-Clause
#include "hgrid/host/io/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "hgrid/core/error.hpp"
#include "hgrid/host/io/printable.hpp"

namespace hgrid::io {
namespace {

/// Names of the temporaries, where a signal handler may read them. A slot is free, being filled, or live.
struct Slot {
  enum State : int { free, taken, live };
  std::atomic<int> state{free};
  char name[PATH_MAX];
};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler reads the state");
Slot slots[16];

int take_slot(const std::string& name) {
  if (name.size() >= PATH_MAX) return -1;
  for (int k = 0; k < static_cast<int>(std::size(slots)); ++k) {
    int expected = Slot::free;
    if (!slots[k].state.compare_exchange_strong(expected, Slot::taken)) continue;
    std::memcpy(slots[k].name, name.c_str(), name.size() + 1);
    slots[k].state = Slot::live;
    return k;
  }
  return -1;
}

std::string parent_of(const std::string& target) {
  const std::size_t slash = target.rfind('/');
  return slash == std::string::npos ? "" : target.substr(0, slash + 1);
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
    open_temporary(path);
    return;
  }
  if (S_ISDIR(status.st_mode)) fail("cannot write", EISDIR);
  if (S_ISBLK(status.st_mode)) throw Error(ErrorCode::io, printable_path(path) + ": is a block device");
  if (!S_ISREG(status.st_mode)) {
    descriptor_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail("cannot open", errno);
    return;
  }
  if (!overwrite) {
    throw Error(ErrorCode::invalid_argument,
                printable_path(path) + ": exists; to replace it, ask for overwriting");
  }
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(path, error);
  if (error) fail("cannot write", error.value());
  open_temporary(real.string());
}

AtomicFile::~AtomicFile() { discard(); }

void AtomicFile::open_temporary(const std::string& target) {
  if (target.back() == '/') fail("cannot write", EISDIR);
  // The final name could be refused only at the rename, after the work; ENAMETOOLONG is known now.
  const std::size_t name_size = target.size() - parent_of(target).size();
  if (name_size > NAME_MAX || target.size() >= PATH_MAX) fail("cannot write", ENAMETOOLONG);
  static std::atomic<unsigned> counter{0};
  for (int attempt = 0; attempt < 100; ++attempt) {
    // Not the target's name with a suffix: that may be as long as names can be.
    const std::string name = fmt::format("{}.hgrid-{}-{}.tmp", parent_of(target), ::getpid(), counter++);
    slot_ = take_slot(name);  // before the file is there: a signal may come at any time
    if (slot_ < 0) fail("cannot write: too many outputs at once, or its path is too long", ENAMETOOLONG);
    descriptor_ = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    const int error = errno;
    if (descriptor_ < 0) {
      release_slot();                 // what has this name is not ours
      if (error == EEXIST) continue;  // left by a process of this number that was killed
      fail("cannot write into its folder", error);
    }
    target_ = target;
    return;
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

void AtomicFile::commit() {
  if (is_standard_output()) return;
  const int closed = ::close(descriptor_);
  descriptor_ = -1;
  if (closed != 0) fail("cannot close", errno);
  if (target_.empty()) return;
  const char* temporary = slots[slot_].name;
  int renamed =
      ::renameat2(AT_FDCWD, temporary, AT_FDCWD, target_.c_str(), overwrite_ ? 0 : RENAME_NOREPLACE);
  if (renamed != 0 && errno == EINVAL && !overwrite_) {  // a file system that cannot refuse to replace
    renamed =
        ::access(target_.c_str(), F_OK) == 0 ? (errno = EEXIST, -1) : ::rename(temporary, target_.c_str());
  }
  if (renamed != 0) fail("cannot rename the finished temporary", errno);
  release_slot();
}

void AtomicFile::discard() noexcept {
  if (descriptor_ >= 0 && !is_standard_output()) ::close(descriptor_);
  descriptor_ = -1;
  if (slot_ < 0) return;
  ::unlink(slots[slot_].name);
  release_slot();
}

void AtomicFile::release_slot() noexcept {
  slots[slot_].state = Slot::free;
  slot_ = -1;
}

void AtomicFile::fail(const char* what, int error) {
  discard();
  const std::string name = is_standard_output() ? "standard output" : printable_path(path_);
  throw Error(ErrorCode::io, fmt::format("{}: {}: {}", name, what, std::generic_category().message(error)));
}

void remove_pending_outputs() noexcept {
  for (Slot& slot : slots) {
    if (slot.state == Slot::live) ::unlink(slot.name);
  }
}

void report_write_signals_as_errors() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

bool is_same_file(const std::string& a, const std::string& b) {
  if (a == "-" || b == "-") return false;
  std::error_code error;
  return std::filesystem::equivalent(a, b, error) && !error;
}

}  // namespace hgrid::io
