// SPDX-License-Identifier: BSD-3-Clause
// Other ways to search the own level of each slot, to be measured against the library's: the search of grids which are not of
// the common kind; a loop for each run with its hits in a mask, by one thread a slot or several; cells looked up in a bitmap.
// They count, and keep nothing.
#pragma once

#include "hgrid/cells/stages.hpp"
#include "hgrid/device/device_search.hpp"

namespace gpu_bench {

using hgrid::index_t;
using hgrid::offset_t;
using hgrid::SlotRun;
using hgrid::detail::word_t;

/// Adds the counts of the threads of a block, so that the library's own search stands beside the variants.
struct CountingSink {
  static constexpr int registers(int of_search) { return of_search; }
  struct Counted {
    static constexpr bool by_any_lane = true, keeps_all = false;
    template <class Shift>
    HGRID_HD bool operator()(index_t, index_t, const Shift&) const {
      return false;
    }
  };
  word_t* total;

  template <int each, class Block>
  HGRID_HD bool has_tiles(Block&, offset_t) const {
    return true;
  }
  template <class Block>
  HGRID_HD void start(Block&) const {}
  template <class View>
  HGRID_HD Counted contact(const View&) const {
    return {};
  }
  template <class Block, class Search>
  HGRID_HD void take(Block&, Search&) const {}
  template <class Block, class Search, class Meanwhile>
  HGRID_HD bool commit(Block& block, Search& search, const Meanwhile& meanwhile) const {
    add(block, block.lane() == 0 ? static_cast<index_t>(search.found()) : 0);
    meanwhile();
    return false;
  }
  template <class Block, class Search>
  HGRID_HD void finish(Block&, Search&) const {}
  template <class Block>
  HGRID_HD void add(Block& block, index_t found) const {
    const auto scanned = hgrid::detail::block_scan<offset_t>(block, found);
    if (block.thread() == 0) block.add(total, static_cast<word_t>(scanned.total));
  }
};

/// The library's table: a start for every cell.
struct DenseTable {
  template <class View>
  HGRID_HD SlotRun run(const View& g, hgrid::cell_key_t first, hgrid::cell_key_t last) const {
    return {g.table.begin[first], g.table.begin[last + 1]};
  }
};

/// 16 bytes for 64 cells: which of them are occupied, and how many are before them. A start for every occupied cell.
struct BitmapTable {
  struct alignas(16) Word {
    std::uint64_t cells;
    std::int64_t before;
  };
  const Word* word;      // words of 64 cells, and one after the last
  const index_t* begin;  // [occupied + 1]

  template <class View>
  HGRID_HD SlotRun run(const View&, hgrid::cell_key_t first, hgrid::cell_key_t last) const {
    return {begin[rank(first)], begin[rank(last + 1)]};
  }
  /// Occupied cells before this one.
  HGRID_HD offset_t rank(hgrid::cell_key_t cell) const {
    const Word w = word[cell / 64];
    return w.before + hgrid::detail::count_bits(w.cells & ((std::uint64_t{1} << (cell % 64)) - 1));
  }
};

/// Builds it from dense starts: first `count` receives each word's number of occupied cells, which a scan sums up.
struct MarkOccupied {
  const index_t* dense;  // [cells + 1]
  offset_t cells;
  BitmapTable::Word* word;
  offset_t* count;
  HGRID_HD void operator()(offset_t w) const {
    std::uint64_t bits = 0;
    for (int k = 0; k < 64 && 64 * w + k < cells; ++k) {
      bits |= std::uint64_t{dense[64 * w + k] < dense[64 * w + k + 1]} << k;
    }
    word[w].cells = bits;
    count[w] = hgrid::detail::count_bits(bits);
  }
};
struct FillOccupied {
  const index_t* dense;
  offset_t cells;
  BitmapTable::Word* word;
  const offset_t* before;
  index_t* begin;
  HGRID_HD void operator()(offset_t w) const {
    offset_t at = word[w].before = before[w];
    for (int k = 0; k < 64 && 64 * w + k < cells; ++k) {
      if (word[w].cells >> k & 1) begin[at++] = dense[64 * w + k];
    }
    if (64 * (w + 1) > cells) begin[at] = dense[cells];  // the word beyond the last cell, which closes the list
  }
};

/// A loop for each run; `group` adjacent threads share a slot's candidates. For grids of the common kind.
template <class View, class Table, int group = 1>
struct SearchByRuns {
  static constexpr int most_registers = 40;
  static constexpr int D = View::dimension;

  View grid;
  Table table;
  CountingSink sink;
  word_t* next;

  template <class Block>
  static std::size_t shared_bytes() {
    return hgrid::detail::block_scratch_bytes + sizeof(SlotRun) * most_runs * Block::threads;
  }
  template <class Block>
  HGRID_HD void operator()(Block& block) const {
    const offset_t items = static_cast<offset_t>(grid.slots()) * group;
    while (hgrid::detail::next_tile(block, next) < hgrid::detail::tiles_of<Block>(items)) {
      const offset_t item = hgrid::detail::this_item(block);
      sink.add(block, item < items ? count(block, static_cast<index_t>(item / group), item % group) : 0);
    }
  }

 private:
  static constexpr int most_runs = 6;

  template <class Block>
  HGRID_HD SlotRun& run(const Block& block, int k) const {
    return block.template shared<SlotRun>(hgrid::detail::block_scratch_bytes)[k * Block::threads + block.thread()];
  }

  template <class Block>
  HGRID_HD index_t count(const Block& block, index_t p, index_t member) const {
    index_t found = 0;
    for (index_t at = 0; at >= 0;) {
      int runs = collect(block, p, at);
      const hgrid::detail::FilterRecord centre = block.load(&grid.filter[p]);
      while (--runs >= 0) found += count(block, p, member, centre, run(block, runs));
    }
    return found;
  }

  template <class Block>
  HGRID_HD index_t count(const Block& block, index_t p, index_t member, const hgrid::detail::FilterRecord& centre,
                         SlotRun of) const {
    index_t found = 0;
    HGRID_KEEP_ROLLED
    for (index_t at = of.begin + member; at < of.end; at += 32 * group) {
      std::uint32_t hits = 0;
      HGRID_KEEP_ROLLED
      for (int k = 0; k < 32 && at + k * group < of.end; ++k) {
        hits |= static_cast<std::uint32_t>(may_touch(centre, block.load(&grid.filter[at + k * group]))) << k;
      }
      HGRID_KEEP_ROLLED
      for (; hits != 0; hits &= hits - 1) {
        found += in_contact(grid, p, at + Block::lowest_bit(hits) * group, hgrid::detail::Shift<D>{});
      }
    }
    return found;
  }

  /// Collects up to six runs from number `at` on. `at` becomes the number of the next run, or negative after the last.
  template <class Block>
  HGRID_HD int collect(const Block& block, index_t p, index_t& at) const {
    int runs = 0;
    const int own = grid.level_of_slot(p);
    const hgrid::detail::Query<D> query = hgrid::detail::make_query(grid, p, own, true, hgrid::detail::Shift<D>{});
    HGRID_KEEP_ROLLED
    for (; at < query.runs && runs < most_runs; ++at) {
      const SlotRun next_run = run_of(own, query, at);
      if (next_run.begin < next_run.end) run(block, runs++) = next_run;
    }
    if (at >= query.runs) at = -1;
    return runs;
  }

  HGRID_HD SlotRun run_of(int own, const hgrid::detail::Query<D>& query, index_t at) const {
    index_t hint = 0;
    if (query.scans_level) return hgrid::detail::run_of_query(grid, own, query, at, hint);
    const index_t width = query.range.width(0);
    const hgrid::cell_key_t first = hgrid::detail::linear_cell(grid.level[own], query.cell(at, width));
    SlotRun run = table.run(grid, first, first + (width - 1));
    if (run.begin < query.from) run.begin = query.from;
    return run;
  }
};

/// Runs all variants: calls measure(name, search, contacts) for each; `search` counts into `contacts`. The library's comes
/// first.
template <class Exec, int D, class Measure>
void for_each_search(const Exec& exec, const hgrid::GridView<D>& any, offset_t cells, const Measure& measure) {
  using namespace hgrid;
  using namespace hgrid::detail;
  using View = GridView<D, OpenGrid>;
  const View g = std::bit_cast<View>(any);
  typename Exec::template Buffer<word_t> numbers(exec, 2);  // the total, the next tile
  const auto run = [&](const char* name, const auto& body) {
    measure(
        name,
        [&] {
          exec.for_each("clear", 2, Fill<word_t>{numbers.data(), 0});
          exec.launch(name, body.template shared_bytes<typename Exec::Block>(), body);
        },
        numbers.data());
  };
  const CountingSink sink{numbers.data()};
  word_t* const next = numbers.data() + 1;
  typename Exec::template Buffer<LevelInPlace<D>> levels(exec, max_levels);
  exec.for_each("prepare_search", g.level_count, PrepareSearch<D>{any, nullptr, 0, nullptr, levels.data()});
  run("in_place", SearchInPlace<View, CountingSink>{g, sink, levels.data(), next});
  run("merged", SearchSlots<View, Visit::once, CountingSink>{g, sink, next});
  run("by_runs", SearchByRuns<View, DenseTable>{g, {}, sink, next});
  run("by_runs_groups_of_4", SearchByRuns<View, DenseTable, 4>{g, {}, sink, next});
  run("by_runs_groups_of_8", SearchByRuns<View, DenseTable, 8>{g, {}, sink, next});

  const offset_t words = cells / 64 + 1;
  typename Exec::template Buffer<BitmapTable::Word> bitmap(exec, words);
  typename Exec::template Buffer<offset_t> before(exec, words + 1);
  typename Exec::template Buffer<index_t> begin(exec, cells + 1);
  exec.for_each("mark_occupied", words, MarkOccupied{g.table.begin, cells, bitmap.data(), before.data()});
  exec.template reserve_scan<offset_t>(words);
  exec.exclusive_scan("scan_occupied", before.data(), words);
  exec.for_each("fill_occupied", words, FillOccupied{g.table.begin, cells, bitmap.data(), before.data(), begin.data()});
  run("by_runs_bitmap", SearchByRuns<View, BitmapTable>{g, {bitmap.data(), begin.data()}, sink, next});
}

}  // namespace gpu_bench
