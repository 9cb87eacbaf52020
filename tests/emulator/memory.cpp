// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <map>
#include <string>

#include "kernel.h"
#include "memory.hpp"
#include "settings.hpp"
#include "stream.hpp"

namespace emulator {

namespace {

constexpr std::size_t red_zone = 512, page = 4096;
constexpr int fresh = 0xCB;  // the first value of memory

struct Allocation {
  std::size_t bytes;
  Place place;
  int device;
};

void* map_at(std::uint64_t at, std::size_t bytes, int protection, int flags, int file) {
  void* p = mmap(reinterpret_cast<void*>(at), bytes, protection, flags | MAP_FIXED_NOREPLACE | MAP_NORESERVE, file, 0);
  if (p == MAP_FAILED) stop(fmt::format("no addresses at {:#x}: {}", at, std::strerror(errno)));
  return p;
}

/// One half of the addresses. Freed addresses are not given out again at once, so that late uses meet no data.
struct Half {
  std::uint64_t begin, next;
  int file;
  std::map<std::size_t, std::deque<std::uint64_t>> freed;

  Half(std::uint64_t at, const char* name, int protection) : begin(at), next(at + page), file(memfd_create(name, 0)) {
    if (file < 0 || ftruncate(file, EMU_HALF) != 0) stop(fmt::format("no memory for {}", name));
    map_at(at, EMU_HALF, protection, MAP_SHARED, file);
    map_at(at + EMU_ALIAS, EMU_HALF, PROT_READ | PROT_WRITE, MAP_SHARED, file);
    map_at(at + EMU_SHADOW, EMU_HALF, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
  }

  std::uint64_t take(std::size_t room) {
    auto& waiting = freed[room];
    if (waiting.size() > 64) {
      const std::uint64_t p = waiting.front();
      waiting.pop_front();
      return p;
    }
    const std::uint64_t p = next;
    next += room;
    if (next > begin + EMU_HALF) stop("all addresses are used up");
    return p;
  }
};

void on_segmentation_fault(int, siginfo_t* info, void*) {
  const auto a = reinterpret_cast<std::uint64_t>(info->si_addr);
  fmt::print(stderr, "emulator: {} at {:#x}\n",
             a - EMU_BASE < EMU_HALF ? "the host touches device memory" : "segmentation fault", a);
  signal(SIGSEGV, SIG_DFL);
  raise(SIGSEGV);
}

struct Memory {
  Half device{EMU_BASE, "emulated device", PROT_NONE}, pinned{EMU_BASE + EMU_HALF, "emulated pinned", PROT_READ | PROT_WRITE};
  std::map<std::uint64_t, Allocation> allocations;
  std::size_t in_use = 0;

  Memory() {
    struct sigaction action {};
    action.sa_sigaction = on_segmentation_fault;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGSEGV, &action, nullptr);
  }
  Half& half(Place place) { return place == Place::device ? device : pinned; }
  /// The last allocation that begins at or before `a`, or the end.
  std::map<std::uint64_t, Allocation>::iterator before(std::uint64_t a) {
    const auto after = allocations.upper_bound(a);
    return after == allocations.begin() ? allocations.end() : std::prev(after);
  }
};

Memory& memory() {
  static auto* const all = new Memory;  // never destroyed: static objects of the program free memory at the end
  return *all;
}

void set_state(std::uint64_t p, int state, std::size_t bytes) {
  std::memset(reinterpret_cast<void*>(p + EMU_SHADOW), state, bytes);
}

std::uint64_t address(const void* p) { return reinterpret_cast<std::uint64_t>(p); }

bool is_ours(const void* p) { return address(p) - EMU_BASE < EMU_SIZE; }

/// Returns whether all unwritten bytes may be the padding of one struct, as beside a boolean: in words that are partly written.
template <class IsUnwritten>
bool is_padding(const std::uint8_t* state, std::size_t bytes, const IsUnwritten& is_unwritten) {
  constexpr std::size_t word = 8, largest_struct = 64;
  if (bytes <= word || bytes > largest_struct || bytes % word != 0) return false;
  for (std::size_t at = 0; at < bytes; at += word) {
    if (std::all_of(state + at, state + at + word, is_unwritten)) return false;
  }
  return true;
}

std::size_t room_for(std::size_t bytes) { return (bytes + 255) / 256 * 256 + red_zone; }

}  // namespace

void* allocate(std::size_t bytes, Place place) {
  Memory& m = memory();
  if (m.in_use + bytes > device_memory) return nullptr;
  const std::uint64_t p = m.half(place).take(room_for(bytes));
  set_state(p, place == Place::device ? EMU_ALLOCATED : EMU_ALLOCATED | EMU_WRITTEN, bytes);
  if (place == Place::device) std::memset(reinterpret_cast<void*>(p + EMU_ALIAS), fresh, bytes);
  m.allocations[p] = {bytes, place, current_device()};
  m.in_use += bytes;
  return reinterpret_cast<void*>(p);
}

bool release(void* p) {
  Memory& m = memory();
  const auto found = m.allocations.find(address(p));
  if (found == m.allocations.end()) return false;
  const auto [bytes, place, device] = found->second;
  const std::uint64_t begin = found->first;
  Half& half = m.half(place);
  set_state(begin, 0, bytes);
  const std::uint64_t low = (begin + page - 1) / page * page, high = (begin + bytes) / page * page;
  if (high > low + 16 * page) {  // whole pages go back to the machine
    fallocate(half.file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(low - half.begin),
              static_cast<off_t>(high - low));
    madvise(reinterpret_cast<void*>(low + EMU_SHADOW), high - low, MADV_DONTNEED);
  }
  half.freed[room_for(bytes)].push_back(begin);
  m.in_use -= bytes;
  m.allocations.erase(found);
  return true;
}

Place place_of(const void* p) {
  if (!is_ours(p)) return Place::host;
  const auto found = memory().before(address(p));
  if (found == memory().allocations.end()) return Place::nowhere;
  return address(p) < found->first + std::max<std::size_t>(found->second.bytes, 1) ? found->second.place : Place::nowhere;
}

int device_of(const void* p) {
  return place_of(p) == Place::device ? memory().before(address(p))->second.device : current_device();
}

void require_inside(const void* p, std::size_t bytes, const char* what) {
  if (!is_ours(p)) return;
  const auto found = memory().before(address(p));
  if (found == memory().allocations.end() || address(p) + bytes > found->first + found->second.bytes) {
    stop(fmt::format("{} outside of allocations: {} bytes at {}; {}", what, bytes, p, nearest_allocation(address(p))));
  }
}

std::string nearest_allocation(std::uint64_t a) {
  const auto found = memory().before(a);
  if (found == memory().allocations.end()) return "no allocation is near";
  return fmt::format("offset {} of an allocation of {} bytes", a - found->first, found->second.bytes);
}

void* writable(const void* p) { return reinterpret_cast<void*>(address(p) + (is_ours(p) ? EMU_ALIAS : 0)); }

void mark_written(void* p, std::size_t bytes) {
  if (is_ours(p)) set_state(address(p), EMU_ALLOCATED | EMU_WRITTEN, bytes);
}

void copy_bytes(void* to, const void* from, std::size_t bytes) {
  require_inside(to, bytes, "copy to");
  require_inside(from, bytes, "copy from");
  std::memmove(writable(to), writable(from), bytes);
  const auto* state = reinterpret_cast<const std::uint8_t*>(address(from) + EMU_SHADOW);
  if (is_ours(to) && is_ours(from)) {
    std::memmove(reinterpret_cast<void*>(address(to) + EMU_SHADOW), state, bytes);
  } else if (is_ours(to)) {
    mark_written(to, bytes);
  } else if (is_ours(from)) {
    const auto is_unwritten = [](std::uint8_t s) { return (s & EMU_WRITTEN) == 0; };
    const auto* unwritten = std::find_if(state, state + bytes, is_unwritten);
    if (unwritten != state + bytes && !is_padding(state, bytes, is_unwritten)) {
      report("copy", fmt::format("byte {} of {} that are copied to the host was never written", unwritten - state, bytes));
    }
  }
}

std::size_t memory_in_use() { return memory().in_use; }

}  // namespace emulator
