// SPDX-License-Identifier: BSD-3-Clause
#include "io/pending_files.hpp"

#include <unistd.h>

#include <atomic>
#include <climits>
#include <csignal>
#include <cstring>
#include <iterator>

namespace hgrid::io {
namespace {

/// A slot is free, being filled, or live.
struct Slot {
  enum State : int { free, taken, live };
  std::atomic<int> state{free};
  char name[PATH_MAX];
};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler reads the state");
Slot slots[16];

enum Phase : int { working, naming, ending };
std::atomic<int> phase{working};
std::atomic<int> held{0};  // a signal

}  // namespace

PendingFile::PendingFile(const std::string& path) {
  if (path.size() >= PATH_MAX) return;
  for (int k = 0; k < static_cast<int>(std::size(slots)); ++k) {
    int expected = Slot::free;
    if (!slots[k].state.compare_exchange_strong(expected, Slot::taken)) continue;
    std::memcpy(slots[k].name, path.c_str(), path.size() + 1);
    slots[k].state = Slot::live;
    slot_ = k;
    return;
  }
}

PendingFile::~PendingFile() {
  if (slot_ >= 0) slots[slot_].state = Slot::free;
}

NamesBeingTaken::NamesBeingTaken() {
  int expected = working;
  while (!phase.compare_exchange_strong(expected, naming)) ::pause();  // a handler on another thread ends the process
}

NamesBeingTaken::~NamesBeingTaken() {
  phase = working;
  if (const int signal = held.exchange(0)) std::raise(signal);
}

// Stores the signal before it reads the phase. The destructor does so in the opposite order, so no signal is missed.
bool is_held_back(int signal) noexcept {
  held = signal;
  int expected = working;
  return !phase.compare_exchange_strong(expected, ending) && expected == naming;
}

void remove_pending_files() noexcept {
  for (Slot& slot : slots) {
    if (slot.state == Slot::live) ::unlink(slot.name);
  }
}

}  // namespace hgrid::io
