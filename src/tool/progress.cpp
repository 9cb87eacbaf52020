// SPDX-License-Identifier: BSD-3-Clause
#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>

#include "seconds.hpp"

namespace hgrid::tool {

Progress::Progress(bool shown) {
  if (shown && isatty(STDERR_FILENO) == 1) {
    thread_ = std::jthread([this](std::stop_token stop) { show_until_done(stop); });
  }
}

Progress::~Progress() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  thread_.join();
  if (shown_) std::fputs("\r\033[K", stderr);
}

void Progress::step(const std::string& what) {
  const std::lock_guard lock(mutex_);
  what_ = whole_ + what;
  detail_.clear();
  share_ = 0;
  since_ = now();
}

void Progress::of(const std::string& whole) {
  const std::lock_guard lock(mutex_);
  whole_ = whole + ", ";
}

void Progress::detail(const std::string& text) {
  const std::lock_guard lock(mutex_);
  detail_ = text;
}

hgrid_watch Progress::watch() {
  const auto look = [](void* context, double share) {
    static_cast<Progress*>(context)->share_ = share;
    return std::int32_t{0};  // continue
  };
  return {sizeof(hgrid_watch), thread_.joinable() ? +look : nullptr, this};
}

void Progress::show_until_done(std::stop_token stop) {
  using namespace std::chrono_literals;
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    wake_.wait_for(lock, stop, 200ms, [] { return false; });
    const double seconds = now() - since_;
    if (what_.empty() || seconds < 0.5 || stop.stop_requested()) continue;
    const std::string share = share_ > 0 ? fmt::format("{:.0f} %, ", 100 * share_) : "";
    const std::string line = fmt::format("\r\033[K{} {} {}{:.0f} s", what_, detail_, share, seconds);
    std::fputs(line.c_str(), stderr);
    shown_ = true;
  }
}

}  // namespace hgrid::tool
