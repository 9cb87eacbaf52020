// SPDX-License-Identifier: BSD-3-Clause
// Where the contacts of a search kernel go: into a list, in an order that does not depend on the device's scheduling,
// or to the user's functor.
#pragma once

#include "hgrid/core/search.hpp"
#include "hgrid/device/block.hpp"

namespace hgrid::inline v0_1::detail {

/// A contact that a search keeps, as slots.
template <int D>
struct KeptContact {
  index_t p, q;
  Shift<D> shift;
};

/// How the blocks of a search agree on places in a list. Its bytes are the same either way.
enum class ListMode {
  look_back,        ///< one search; a block looks back at the sums of those before it
  count_scan_fill,  ///< two searches with a scan between them; no block of a search waits for another
};

/// The use that one launch of a search kernel makes of the list.
enum class ListPass { look_back, count, fill };

/// The list under construction, and the states by which blocks agree on places in it.
struct DeviceListOutput {
  Pair* pairs;
  Image* images;      // or null
  offset_t capacity;  // what is beyond is counted, not written
  word_t* states;     // [most_tiles + 1], zero before the first pass; counts of tiles, and once scanned their places
  offset_t most_tiles;
  const offset_t* base;  // contacts of kernels before this one, or null
  offset_t* total;       // receives the number of contacts, those before included
  ListPass pass = ListPass::look_back;
};

/// A sink takes the contacts of a search: `start` before each tile; `contact` gives a function that the search calls for each,
/// and that says whether the contact stays there; `take` when some stay; `commit` at a tile's end says whether to search again.
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

  /// Before a tile is searched.
  template <class Block>
  HGRID_HD void start(Block& block) const {
    if (block.lane() == 0) at(block) = -1;
  }
  template <class View>
  HGRID_HD Keep contact(const View&) const {
    return {};
  }
  /// Whether there are more tiles than states: the kernel then must not run, and the host makes room.
  HGRID_HD bool too_small(offset_t tiles) const { return tiles > out.most_tiles; }

  /// Writes what the warp has kept, if it searches for the second time.
  template <class Block, class Search>
  HGRID_HD void take(Block& block, Search& search) const {
    if (at(block) < 0) return;
    write(block, search, at(block));
    block.warp_barrier();  // all have read where
    if (block.lane() == 0) at(block) += search.kept();
    search.forget_kept();
    block.warp_barrier();
  }

  /// Writes what the block's warps have kept, or counts it. True where a warp has found more than it could keep: it must search
  /// again, to write it.
  template <class Block, class Search, class Tiles>
  HGRID_HD bool commit(Block& block, Search& search, const Tiles& tiles) const {
    if (at(block) >= 0) return false;
    const offset_t n = search.found();
    const auto scanned = scan_of_warps<offset_t>(block, n);
    const offset_t tile = this_tile(block);
    if (out.pass == ListPass::count) {
      if (block.thread() == 0) out.states[tile] = static_cast<word_t>(scanned.total);
      return false;
    }
    const offset_t before = (out.pass == ListPass::fill ? static_cast<offset_t>(out.states[tile])
                                                        : sum_of_tiles_before(block, out.states, tile, scanned.total)) +
                            (out.base == nullptr ? 0 : *out.base);
    if (block.thread() == 0 && tile == tiles() - 1) *out.total = before + scanned.total;
    if (n == search.kept()) {
      write(block, search, before + scanned.before);
      return false;
    }
    if (block.lane() == 0) at(block) = before + scanned.before;
    block.warp_barrier();
    return true;
  }

 private:
  /// Where the warp's second search writes; negative before it.
  template <class Block>
  HGRID_HD static offset_t& at(Block& block) {
    return block.template shared<offset_t>(block_scratch_bytes)[block.warp()];
  }

  template <class Block, class Search>
  HGRID_HD void write(Block& block, const Search& search, offset_t first) const {
    const offset_t room = first < out.capacity ? out.capacity - first : 0;  // which an int may not hold
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

/// f(i, j, image) for each contact once, or with Visit::all for all partners j of i.
template <Visit visit, class F>
struct DeviceFunctorSink {
  static constexpr int registers(int) { return 72; }  // who knows what a functor needs

  template <class View>
  struct Contact {
    static constexpr bool by_any_lane = visit == Visit::once;  // all calls for one particle come from one thread
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

  template <class Block>
  HGRID_HD void start(Block&) const {}
  template <class View>
  HGRID_HD Contact<View> contact(const View& g) const {
    return {&g, &f};
  }
  HGRID_HD bool too_small(offset_t) const { return false; }
  template <class Block, class Search>
  HGRID_HD void take(Block&, Search&) const {}
  template <class Block, class Search, class Tiles>
  HGRID_HD bool commit(Block&, Search&, const Tiles&) const {
    return false;
  }
};

}  // namespace hgrid::inline v0_1::detail
