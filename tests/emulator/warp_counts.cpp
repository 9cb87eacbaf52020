// SPDX-License-Identifier: BSD-3-Clause
#include "warp_counts.hpp"

#include <algorithm>
#include <bit>
#include <fstream>
#include <map>

#include "block.hpp"
#include "execute.hpp"
#include "settings.hpp"

namespace emulator {

namespace {

constexpr std::uint64_t sector = 32;
bool profiling = false;

bool counts() { return profiling && !settings().counts.empty(); }

void write_line(const std::string& line) { std::ofstream(settings().counts, std::ios::app) << line << '\n'; }

std::string quoted(std::string text) {
  std::erase_if(text, [](char c) { return c == '"' || c == '\\'; });
  return '"' + text + '"';
}

}  // namespace

void profile(bool on) { profiling = on; }

bool Cache::has(std::uint64_t sector) {
  if (std::find(sectors_.begin(), sectors_.end(), sector) != sectors_.end()) return true;
  sectors_[oldest_++ % sectors_.size()] = sector;
  return false;
}

void WarpCounts::add(const Block& block) {
  if (!counts()) return;
  for (std::uint32_t first = 0; first < block.size(); first += 32) {
    std::vector<const Trace*> lanes;
    for (std::uint32_t i = first; i < std::min(first + 32, block.size()); ++i) lanes.push_back(&block.lanes[i].trace);
    replay(*block.kernel, lanes);
  }
}

void WarpCounts::replay(const Kernel& kernel, const std::vector<const Trace*>& lanes) {
  struct Together {
    std::uint32_t lanes, until;  // the block at which they wait
    std::uint32_t last = 0;      // the block that they have left
  };
  constexpr std::uint32_t end = UINT32_MAX;
  ++warps_;
  Cache cache;
  std::vector<std::size_t> at(lanes.size(), 0);
  const auto next = [&](std::size_t lane) { return at[lane] < lanes[lane]->size() ? (*lanes[lane])[at[lane]].what : end; };
  std::vector<Together> parted{{lanes.size() == 32 ? ~0u : (1u << lanes.size()) - 1, end}};
  while (!parted.empty()) {
    const Together now = parted.back();
    const auto waits = [&](std::uint32_t block) {
      return block == end || std::any_of(parted.begin(), parted.end(), [&](const Together& t) { return t.until == block; });
    };
    std::map<std::uint32_t, std::uint32_t> groups;  // lanes by the block that comes next
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
      if ((now.lanes >> lane & 1) != 0 && !waits(next(lane))) groups[next(lane)] |= 1u << lane;
    }
    if (groups.empty()) {
      parted.pop_back();
    } else if (groups.size() > 1) {
      const std::uint32_t innermost = kernel.first_meeting_point[now.last];
      for (std::uint32_t k = kernel.first_meeting_point[now.last + 1]; --k > innermost;) {
        parted.push_back({now.lanes, kernel.meeting_points[k], now.last});
      }
      for (const auto& [block, group] : groups) parted.push_back({group, kernel.meeting_points[innermost], now.last});
    } else {
      const auto [block, group] = *groups.begin();
      parted.back().last = block;
      std::vector<Event> accesses;
      for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
        if ((group >> lane & 1) == 0) continue;
        const Trace& trace = *lanes[lane];
        for (++at[lane]; at[lane] < trace.size() && trace[at[lane]].bytes > 0; ++at[lane]) accesses.push_back(trace[at[lane]]);
      }
      issued_ += kernel.instructions[block];
      if (block >= entered_.size()) entered_.resize(block + 1);
      ++entered_[block];
      lanes_ += std::uint64_t{kernel.instructions[block]} * static_cast<std::uint64_t>(std::popcount(group));
      request(accesses, cache);
    }
  }
}

void WarpCounts::request(std::vector<Event>& accesses, Cache& cache) {
  const auto place = [](const Event& e) { return std::pair{e.what, e.address / sector}; };
  std::sort(accesses.begin(), accesses.end(), [&](const Event& a, const Event& b) { return place(a) < place(b); });
  for (std::size_t k = 0; k < accesses.size(); ++k) {
    const Event& e = accesses[k];
    if (k == 0 || e.what != accesses[k - 1].what) ++requests_;
    if (k > 0 && place(e) == place(accesses[k - 1])) continue;
    (e.writes ? first_written_ : first_read_).insert(e.address / sector);
    if (e.writes) {
      ++written_;
    } else if (!cache.has(e.address / sector)) {
      ++read_;
    }
  }
}

void WarpCounts::write(const Launch& launch) const {
  if (!counts()) return;
  write_line(fmt::format(
      R"({{"kernel": {}, "name": "{}", "instructions": {}, "blocks": {}, "warps": {}, "issued": {}, "lanes": {:.3f}, )"
      R"("requests": {}, "read": {}, "written": {}, "first_read": {}, "first_written": {}, "entered": [{}]}})",
      quoted(launch.kernel->label), launch.kernel->name, launch.kernel->all_instructions, launch.grid.x, warps_, issued_,
      issued_ == 0 ? 0.0 : double(lanes_) / double(issued_), requests_, sector * read_, sector * written_,
      sector * first_read_.size(), sector * first_written_.size(), fmt::join(entered_, ", ")));
}

void count_node(const char* name, std::uint64_t bytes) {
  if (counts()) write_line(fmt::format(R"({{"kernel": "{}", "first_written": {}}})", name, bytes));
}

}  // namespace emulator

void emu_enter(Thread* t, u32 block) {
  if (emulator::counts()) emulator::lane_of(t).trace.push_back({0, block, 0, 0});
}

void emu_touch(Thread* t, u64 address, u32 bytes, int kind, int statement) {
  if (!emulator::counts() || address - EMU_BASE >= EMU_SIZE) return;
  emulator::lane_of(t).trace.push_back({address, static_cast<u32>(statement), bytes, kind != EMU_READ});
}
