// SPDX-License-Identifier: BSD-3-Clause
// Collectives of the lanes of a warp: each lane waits until all lanes of its mask have come.
#include <algorithm>
#include <bit>

#include "block.hpp"
#include "settings.hpp"

namespace emulator {

namespace {

/// Lanes of one warp that have met, as bits, and the value that each has brought.
struct Meeting {
  Block& block;
  std::uint32_t first, lanes;

  Lane& lane(int j) const { return block.lanes[first + static_cast<std::uint32_t>(j)]; }
  template <class F>
  void for_each(const F& f) const {
    for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) f(std::countr_zero(rest), lane(std::countr_zero(rest)));
  }
  template <class Test>
  std::uint32_t where(const Test& test) const {
    std::uint32_t found = 0;
    for_each([&](int j, const Lane& l) { found |= test(l) ? 1u << j : 0; });
    return found;
  }
};

// The lane that lane j reads, or j itself if that is outside of its segment; PTX's rule.
int source_of(const Lane& l, int j, bool& inside) {
  const int b = static_cast<int>(l.b & 31), clamp = static_cast<int>(l.c & 31), segment = static_cast<int>(l.c >> 8 & 31);
  const int last = (j & segment) | (clamp & ~segment), begin = j & segment;
  int from = 0;
  switch (l.kind) {
    case EMU_SHFL_UP:
      from = j - b, inside = from >= last;
      break;
    case EMU_SHFL_DOWN:
      from = j + b, inside = from <= last;
      break;
    case EMU_SHFL_BFLY:
      from = j ^ b, inside = from <= last;
      break;
    default:
      from = begin | (b & ~segment), inside = from <= last;
  }
  return inside ? from : j;
}

void shuffle(const Meeting& m) {
  m.for_each([&](int j, Lane& l) {
    bool inside = false;
    const int from = source_of(l, j, inside);
    l.predicate = inside;
    l.result = static_cast<std::uint32_t>(m.lane(from).value);
    if (m.lanes >> from & 1) return;
    report(fmt::format("shuffle {} {}", l.statement, m.block.kernel->name),
           fmt::format("a shuffle reads lane {}, which is not in mask {:#x}: {}", from, l.mask, m.block.place_of(l)));
    l.result = 0xDEADBEEF;
  });
}

void vote(const Meeting& m, int kind) {
  const std::uint32_t ballot = m.where([](const Lane& l) { return l.value != 0; });
  m.for_each([&](int, Lane& l) {
    l.result = kind == EMU_BALLOT ? ballot
               : kind == EMU_ANY  ? ballot != 0
               : kind == EMU_ALL  ? ballot == m.lanes
                                  : ballot == 0 || ballot == m.lanes;
  });
}

void match(const Meeting& m, int kind) {
  m.for_each([&](int, Lane& l) {
    const std::uint32_t same = m.where([&](const Lane& other) { return other.value == l.value; });
    l.predicate = same == m.lanes;
    l.result = kind == EMU_MATCH_ANY || same == m.lanes ? same : 0;
  });
}

std::uint32_t combined(int kind, std::uint32_t x, std::uint32_t y) {
  const auto as_signed = [](std::uint32_t v) { return static_cast<std::int32_t>(v); };
  switch (kind) {
    case EMU_ADD:
      return x + y;
    case EMU_MIN_U:
      return std::min(x, y);
    case EMU_MAX_U:
      return std::max(x, y);
    case EMU_MIN_S:
      return as_signed(x) < as_signed(y) ? x : y;
    case EMU_MAX_S:
      return as_signed(x) > as_signed(y) ? x : y;
    case EMU_AND:
      return x & y;
    case EMU_OR:
      return x | y;
    default:
      return x ^ y;
  }
}

void reduce(const Meeting& m, int kind) {
  bool any = false;
  std::uint32_t all = 0;
  m.for_each([&](int, const Lane& l) {
    const auto v = static_cast<std::uint32_t>(l.value);
    all = any ? combined(kind, all, v) : v, any = true;
  });
  m.for_each([&](int, Lane& l) { l.result = all; });
}

void meet(const Meeting& m, int kind) {
  switch (kind) {
    case EMU_SYNC:
      m.block.races.warp_barrier(m.first / 32);
      break;
    case EMU_SHFL_UP:
    case EMU_SHFL_DOWN:
    case EMU_SHFL_BFLY:
    case EMU_SHFL_IDX:
      shuffle(m);
      break;
    case EMU_ALL:
    case EMU_ANY:
    case EMU_UNI:
    case EMU_BALLOT:
      vote(m, kind);
      break;
    case EMU_MATCH_ANY:
    case EMU_MATCH_ALL:
      match(m, kind);
      break;
    default:
      reduce(m, kind);
  }
  m.for_each([](int, Lane& l) { l.state = State::ready; });
}

void look_at_mask(const Meeting& m, const Lane& l, std::uint32_t alive) {
  const auto say = [&](const char* key, const std::string& what) {
    report(fmt::format("{} {} {}", key, l.statement, m.block.kernel->name), what + ": " + m.block.place_of(l));
  };
  if (l.mask & ~alive) say("mask", fmt::format("mask {:#x} names lanes that are not there (alive {:#x})", l.mask, alive));
  m.for_each([&](int, const Lane& other) {
    if (other.statement != l.statement)
      say("statements", fmt::format("lanes meet at statements {} and {}", other.statement, l.statement));
  });
}

}  // namespace

bool pass_collectives(Block& block, std::uint32_t w) {
  const std::uint32_t first = 32 * w, n = std::min(32u, block.size() - first);
  const Meeting warp{block, first, static_cast<std::uint32_t>((std::uint64_t{1} << n) - 1)};
  const std::uint32_t alive = warp.where([](const Lane& l) { return l.state != State::done; });
  std::uint32_t rest = warp.where([](const Lane& l) { return l.state == State::at_collective; });
  bool passed = false;
  while (rest != 0) {
    const int i = std::countr_zero(rest);
    const Lane& l = warp.lane(i);
    const Meeting m{block, first, warp.where([&](const Lane& other) {
                      return other.state == State::at_collective && other.mask == l.mask && other.kind == l.kind;
                    })};
    rest &= ~m.lanes;
    if (const std::uint32_t outside = m.lanes & ~l.mask) {
      stop("a lane is not in the mask of its own collective: " + block.place_of(warp.lane(std::countr_zero(outside))));
    }
    if ((l.mask & alive & ~m.lanes) != 0) continue;  // not all have come
    look_at_mask(m, l, alive);
    meet(m, l.kind);
    passed = true;
  }
  return passed;
}

}  // namespace emulator
