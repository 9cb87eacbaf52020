// SPDX-License-Identifier: BSD-3-Clause
// Files that must disappear if the process ends before they are finished.
#pragma once

#include <string>

namespace hgrid::io {

struct PendingSlot;

/// Keeps a path where a signal handler may read it, until it is destroyed.
class PendingFile {
 public:
  explicit PendingFile(const std::string& path);
  ~PendingFile();
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;

 private:
  PendingSlot* slot_;
};

/// Holds signals back while finished files take their names, so that all of them do or none. A signal that came meanwhile is
/// raised at the end.
class NamesBeingTaken {
 public:
  NamesBeingTaken();
  ~NamesBeingTaken();
  NamesBeingTaken(const NamesBeingTaken&) = delete;
  NamesBeingTaken& operator=(const NamesBeingTaken&) = delete;
};

/// Returns whether a signal is held back, so that its handler must return. If not, the process must end: from then on no file
/// takes its name. Async-signal-safe.
bool is_held_back(int signal) noexcept;

/// Unlinks every pending file of this process. Async-signal-safe: for the handler of a signal that ends the process.
void remove_pending_files() noexcept;

}  // namespace hgrid::io
