// SPDX-License-Identifier: BSD-3-Clause
// Output that appears whole or not at all: written under a temporary name in the target's folder, renamed at
// the end.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace hgrid::io {

class AtomicFile {
 public:
  /// Opens a temporary beside `path`. "-" is standard output, and a device or FIFO is written directly: there
  /// nothing can be renamed. A symbolic link is followed. Throws Error(invalid_argument) if `path` exists and
  /// `overwrite` is false; Error(io) for a folder that is missing or read-only, a directory, ...
  AtomicFile(const std::string& path, bool overwrite);
  /// Removes the temporary unless committed.
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// Writes through, so each error shows at once. Throws Error(io): no space, a closed pipe, a size limit,
  /// ...
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

  /// Closes the temporary and gives it its name. Throws as the constructor and `write` do; the temporary is
  /// then removed and the target as it was.
  void commit();

  bool is_standard_output() const { return path_ == "-"; }

 private:
  void open_temporary(const std::string& target);
  void release_slot() noexcept;
  void discard() noexcept;
  [[noreturn]] void fail(const char* what, int error);

  std::string path_;    // as given
  std::string target_;  // with links followed; empty where output is direct
  bool overwrite_;
  int descriptor_ = -1;
  int slot_ = -1;  // in the table of pending temporaries
};

/// Unlinks every temporary that this process has not committed. Async-signal-safe: for a handler of SIGINT.
void remove_pending_outputs() noexcept;

/// Makes a closed pipe (SIGPIPE) and a file size limit (SIGXFSZ) errors of `write` instead of the process's
/// end.
void report_write_signals_as_errors();

/// Whether both name one existing file, by whatever path. False for "-".
bool is_same_file(const std::string& a, const std::string& b);

}  // namespace hgrid::io
