// SPDX-License-Identifier: BSD-3-Clause
// One line on the terminal that shows the current step, for steps that take long.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "c/hgrid.h"

namespace hgrid::tool {

/// Shows nothing unless stderr is a terminal and `shown` is true. A thread of its own keeps the clock running while the library
/// works. The line disappears with the object, so that it never mixes with messages.
class Progress {
 public:
  explicit Progress(bool shown = true);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Starts a step; the line appears once it has lasted half a second.
  void step(const std::string& what);
  /// Names the larger task of later steps.
  void of(const std::string& whole);
  /// Shows how far the step is.
  void detail(const std::string& text);
  /// Returns a watch that shows the share of the step that a grid has done; empty if nothing is shown. It must not outlive this
  /// object.
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
