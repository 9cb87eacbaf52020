// SPDX-License-Identifier: BSD-3-Clause
#include "c/threads.hpp"

#include <pthread.h>

#include <atomic>

namespace hgrid::c {
namespace {

std::atomic<bool> has_used_openmp{false}, is_alone{false};

void be_a_child() {
  if (has_used_openmp) is_alone = true;
}

[[maybe_unused]] const int registered = pthread_atfork(nullptr, nullptr, be_a_child);

}  // namespace

int Threads::concurrency() const { return is_alone ? 1 : openmp_.concurrency(); }

void Threads::run(const char* label, offset_t parts, FunctionRef<void(offset_t)> part) const {
  if (parts > 1) has_used_openmp = true;
  openmp_.run(label, parts, part);
}

}  // namespace hgrid::c
