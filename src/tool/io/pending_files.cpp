// SPDX-License-Identifier: BSD-3-Clause
#include "io/pending_files.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstring>
#include <memory>

namespace hgrid::io {

/// A slot is free, being filled, or live. Slots stay for good, so that a handler may go through them at any time.
struct PendingSlot {
  enum State : int { free, taken, live };
  std::atomic<int> state{taken};
  PendingSlot* next = nullptr;
  std::size_t room;
  std::unique_ptr<char[]> name;

  explicit PendingSlot(std::size_t bytes) : room(bytes), name(std::make_unique<char[]>(bytes)) {}
};

namespace {

static_assert(std::atomic<int>::is_always_lock_free && std::atomic<PendingSlot*>::is_always_lock_free,
              "a signal handler reads these");
std::atomic<PendingSlot*> slots{nullptr};

/// A free slot with that much room, now taken; a new one if there is none.
PendingSlot* take_slot(std::size_t bytes) {
  for (PendingSlot* slot = slots; slot != nullptr; slot = slot->next) {
    int expected = PendingSlot::free;
    if (slot->room >= bytes && slot->state.compare_exchange_strong(expected, PendingSlot::taken)) return slot;
  }
  PendingSlot* const slot = new PendingSlot(std::max<std::size_t>(bytes, 256));  // NOLINT(cppcoreguidelines-owning-memory)
  slot->next = slots;
  while (!slots.compare_exchange_weak(slot->next, slot)) continue;
  return slot;
}

enum Phase : int { working, naming, ending };
std::atomic<int> phase{working};
std::atomic<int> held{0};  // a signal

}  // namespace

PendingFile::PendingFile(const std::string& path) {
  slot_ = take_slot(path.size() + 1);
  std::memcpy(slot_->name.get(), path.c_str(), path.size() + 1);
  slot_->state = PendingSlot::live;
}

PendingFile::~PendingFile() { slot_->state = PendingSlot::free; }

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
  for (const PendingSlot* slot = slots; slot != nullptr; slot = slot->next) {
    if (slot->state == PendingSlot::live) ::unlink(slot->name.get());
  }
}

}  // namespace hgrid::io
