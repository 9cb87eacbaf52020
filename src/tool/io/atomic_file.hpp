// SPDX-License-Identifier: BSD-3-Clause
// Output that appears whole or not at all: written under a temporary name in the target's folder, renamed at the end.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "io/pending_files.hpp"

namespace hgrid::io {

class AtomicFile {
 public:
  /// Opens a temporary beside `path`. "-" is standard output. Devices and FIFOs are written directly, because they cannot be
  /// renamed. A symbolic link is followed. A replacement of a file has its permissions, owner and group from the start; if it
  /// cannot have that group, no group has access. Throws Error(invalid_argument) if `path` exists and `overwrite` is false;
  /// Error(io) for a file that is read-only, a folder that is missing or read-only, a directory, ...
  AtomicFile(const std::string& path, bool overwrite);
  /// Removes the temporary unless committed.
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// Writes directly, so each error shows at once. Throws Error(io): no space, a closed pipe, a size limit, ...
  void write(std::string_view bytes);
  template <class T>
  void write_values(std::span<const T> values) {
    write({reinterpret_cast<const char*>(values.data()), values.size_bytes()});
  }
  /// Writes and empties a buffer (of fmt, or a string) once it is worth a system call.
  template <class Buffer>
  void write_when_full(Buffer& text) {
    if (text.size() < (std::size_t{1} << 18)) return;
    write({text.data(), text.size()});
    text.clear();
  }

  /// Writes the temporary to the disk and closes it, so that many files may wait for their names. Write nothing afterwards.
  /// Throws Error(io).
  void finish();
  /// Writes the temporary to the disk and gives it its name, so that after a loss of power there is the old file or the new
  /// one. Throws the errors of the constructor and of `write`, also if the target was created meanwhile and must not be
  /// replaced. The temporary is then removed and the target unchanged.
  void commit() { commit_all(std::initializer_list<AtomicFile*>{this}); }
  /// Commits several files; null pointers are ignored. No file gets its name before all are on the disk. If one cannot have its
  /// name, the others give theirs back, and files that they replaced return; a file system without RENAME_EXCHANGE cannot bring
  /// these back. Signals are held back meanwhile (pending_files.hpp).
  static void commit_all(std::span<AtomicFile* const> files);
  static void commit_all(std::initializer_list<AtomicFile*> files) { commit_all(std::span(files.begin(), files.size())); }

 private:
  bool is_standard_output() const { return path_ == "-"; }
  void open_to_replace();
  void open_temporary(const std::string& target, unsigned mode);
  void take_name();
  void give_name_back() noexcept;
  void keep_name();
  void discard() noexcept;
  [[noreturn]] void fail(const char* what, int error);

  std::string path_;       // as given
  std::string target_;     // with links followed; empty if output is direct
  std::string temporary_;  // empty: none
  std::optional<PendingFile> pending_;
  enum class Named { no, as_new, in_exchange, for_good } named_ = Named::no;
  bool overwrite_;
  int descriptor_ = -1;
};

}  // namespace hgrid::io
