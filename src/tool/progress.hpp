// SPDX-License-Identifier: BSD-3-Clause
// One line on the terminal that says what is going on, for steps that last.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "c/hgrid.h"

namespace hgrid::tool {

/// Silent unless stderr is a terminal, and if it is not to be shown. A thread of its own keeps the clock running while the
/// library works. The line is gone when the object is, so that it never mixes with messages.
class Progress {
 public:
  explicit Progress(bool shown = true);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Starts a step; the line appears once it has lasted half a second.
  void step(const std::string& what);
  /// What the steps that follow are part of.
  void of(const std::string& whole);
  /// Says how far the step is.
  void detail(const std::string& text);
  /// What tells it the share of the step that a grid has done; nothing if nobody looks. It must not outlive this object.
  hgrid_watch watch();

 private:
  void show_until_done(std::stop_token stop);

  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::string whole_, what_, detail_;
  double since_ = 0;
  std::atomic<double> share_ = 0;
  bool shown_ = false;
  std::jthread thread_;  // last: it uses the others
};

}  // namespace hgrid::tool
