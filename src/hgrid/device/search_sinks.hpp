// SPDX-License-Identifier: BSD-3-Clause
// Receivers of a search kernel's contacts: a list, in an order that does not depend on the device's scheduling, or the user's
// functor.
#pragma once

#include "hgrid/core/search.hpp"
#include "hgrid/device/block.hpp"

namespace hgrid::inline v0_2::detail {

/// A contact that a search keeps, as slots.
template <int D>
struct KeptContact {
  index_t p, q;
  Shift<D> shift;
};

/// How the blocks of a search agree on places in a list. The list has the same bytes in both modes.
enum class ListMode {
  one_search,       ///< one block adds up the sums of tiles for the others
  count_scan_fill,  ///< two searches with a scan between them; no block waits for another
};

/// The purpose of the list in one launch of a search kernel.
enum class ListPass { one_search, count, fill };

/// The list under construction, and the states through which blocks agree on places in it.
struct DeviceListOutput {
  Pair* pairs;
  Image* images;      // or null
  offset_t capacity;  // further contacts are counted, not written
  word_t* states;     // [most_tiles + 1], zero before the first pass; counts of tiles, after the scan their places
  offset_t most_tiles;
  const offset_t* base;  // contacts of earlier kernels, or null
  offset_t* total;       // receives the number of contacts, including earlier kernels
  ListPass pass = ListPass::one_search;
};

/// A warp's part of the sink, in shared memory.
struct WarpOfSink {
  offset_t at;      ///< where the warp's second search writes; negative before
  offset_t before;  ///< in the waiting tile, contacts of earlier warps
  index_t waiting;  ///< the tile whose contacts wait until their place is known, or -1
};

/// Takes the contacts of a search. A sink has: `has_tiles`, called first, returns whether the block takes tiles; `start`,
/// before each tile; `contact` returns a function that the search calls for each contact, and which returns whether to keep it;
/// `take`, when some are kept; `commit`, at a tile's end, returns whether to search it again, and calls `meanwhile` when all
/// warps have searched it; `finish`, at the end.
struct DeviceListSink {
  static constexpr int registers(int of_search) { return of_search; }

  DeviceListOutput out;

  struct Keep {
    static constexpr bool by_any_lane = true, keeps_all = true;
    template <class Shifted>
    HGRID_HD bool operator()(index_t, index_t, const Shifted&) const {
      return true;
    }
  };

  /// Returns false if there are more tiles than states. The host then makes room, and searches again.
  template <int each, class Block>
  HGRID_HD bool has_tiles(Block& block, offset_t tiles) const {
    if (tiles > out.most_tiles) return false;
    if (block.lane() == 0) warp(block).waiting = -1;
    return out.pass != ListPass::one_search || !adds_up<each>(block, out.states, tiles, base(), out.total);
  }
  template <class Block>
  HGRID_HD void start(Block& block) const {
    if (block.lane() == 0) warp(block).at = -1;
  }
  template <class View>
  HGRID_HD Keep contact(const View&) const {
    return {};
  }

  /// Writes the warp's kept contacts, if it searches for the second time.
  template <class Block, class Search>
  HGRID_HD void take(Block& block, Search& search) const {
    if (warp(block).at < 0) return;
    write(block, search, warp(block).at);
    block.warp_barrier();  // all lanes have read the place
    if (block.lane() == 0) warp(block).at += search.kept();
    search.forget_kept();
    block.warp_barrier();
  }

  /// Writes or counts the kept contacts of the block's warps. Returns true for a warp that found more than it could keep: it
  /// must search again, to write them.
  template <class Block, class Search, class Meanwhile>
  HGRID_HD bool commit(Block& block, Search& search, const Meanwhile& meanwhile) const {
    if (warp(block).at >= 0) return false;
    const auto tile = static_cast<index_t>(this_tile(block));  // read now, because `this_tile` changes in `meanwhile`
    const auto scanned = scan_of_warps<offset_t>(block, search.found());
    if (block.thread() == 0) {
      if (out.pass == ListPass::one_search) publish_sum(block, out.states, tile, scanned.total);
      if (out.pass == ListPass::count) out.states[tile] = static_cast<word_t>(scanned.total);
      if (out.pass == ListPass::fill && tile == 0) *out.total = base() + static_cast<offset_t>(out.states[out.most_tiles]);
    }
    meanwhile();
    if (out.pass == ListPass::count) return false;
    if constexpr (Search::can_hold) {
      write_held(block, search);
      if (out.pass == ListPass::one_search && search.found() == search.kept() && search.hold()) {
        block.warp_barrier();  // all lanes know whether another tile waited
        if (block.lane() == 0) warp(block).waiting = tile, warp(block).before = scanned.before;
        block.warp_barrier();
        return false;
      }
    }
    const offset_t first = place(block, tile) + scanned.before;
    if (search.found() == search.kept()) {
      write(block, search, first);
      return false;
    }
    if (block.lane() == 0) warp(block).at = first;
    block.warp_barrier();
    return true;
  }

  template <class Block, class Search>
  HGRID_HD void finish(Block& block, Search& search) const {
    write_held(block, search);
  }

 private:
  template <class Block>
  HGRID_HD static WarpOfSink& warp(Block& block) {
    return block.template shared<WarpOfSink>(block_scratch_bytes)[block.warp()];
  }
  HGRID_HD offset_t base() const { return out.base == nullptr ? 0 : *out.base; }

  /// Returns the place of a tile's contacts in the list.
  template <class Block>
  HGRID_HD offset_t place(Block& block, index_t tile) const {
    if (out.pass == ListPass::fill) return base() + static_cast<offset_t>(out.states[tile]);
    return sum_of_tiles_before(block, out.states, tile);
  }

  /// Writes the waiting contacts. While the next tile was searched, most likely all earlier tiles have published their sums;
  /// waiting for them would idle a warp a third of the time.
  template <class Block, class Search>
  HGRID_HD void write_held(Block& block, Search& search) const {
    const index_t tile = warp(block).waiting;
    const offset_t before = warp(block).before;
    if (tile < 0) return;
    write(block, search.held(tile * Block::threads), place(block, tile) + before);
    search.forget_held();
    block.warp_barrier();  // all lanes have read it
    if (block.lane() == 0) warp(block).waiting = -1;
  }

  template <class Block, class Kept>
  HGRID_HD void write(Block& block, const Kept& search, offset_t first) const {
    const offset_t room = first < out.capacity ? out.capacity - first : 0;  // may exceed an int
    const int end = room < search.kept() ? static_cast<int>(room) : search.kept();
    HGRID_KEEP_ROLLED
    for (int k = block.lane(); k < end; k += 32) {
      const offset_t place = first + k;
      const auto contact = search.kept(k);
      report_listed(search.grid(), contact.p, contact.q, contact.shift, [&](index_t i, index_t j, const Image& image) {
        block.store(&out.pairs[place], Pair{i, j});
        if (out.images != nullptr) out.images[place] = image;
      });
    }
  }
};

/// Calls f(i, j, image) once for each contact, or with Visit::all for all partners j of i.
template <Visit visit, class F>
struct DeviceFunctorSink {
  static constexpr int registers(int) { return 72; }  // the needs of a user's functor are unknown

  template <class View>
  struct Contact {
    static constexpr bool by_any_lane = visit == Visit::once;  // with Visit::all, one thread makes all calls for one particle
    static constexpr bool keeps_all = false;
    const View* grid;
    const F* f;
    HGRID_HD bool operator()(index_t p, index_t q, const Shift<View::dimension>& shift) const {
      if constexpr (visit == Visit::once) {
        report_contact(*grid, p, q, shift, *f);
      } else {
        report_partner(*grid, p, q, shift, *f);
      }
      return false;
    }
  };
  F f;

  template <int each, class Block>
  HGRID_HD bool has_tiles(Block&, offset_t) const {
    return true;
  }
  template <class Block>
  HGRID_HD void start(Block&) const {}
  template <class View>
  HGRID_HD Contact<View> contact(const View& g) const {
    return {&g, &f};
  }
  template <class Block, class Search>
  HGRID_HD void take(Block&, Search&) const {}
  template <class Block, class Search, class Meanwhile>
  HGRID_HD bool commit(Block& block, Search&, const Meanwhile& meanwhile) const {
    block.barrier();
    meanwhile();
    return false;
  }
  template <class Block, class Search>
  HGRID_HD void finish(Block&, Search&) const {}
};

}  // namespace hgrid::inline v0_2::detail
