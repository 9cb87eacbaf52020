// SPDX-License-Identifier: BSD-3-Clause
// Where the contacts of a search kernel go: into a list, in an order that does not depend on the device's scheduling,
// or to the user's functor.
#pragma once

#include "hgrid/device/lane_search.hpp"

namespace hgrid::inline v0_1::detail {

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

/// Leaves the contacts of one thread to be counted and kept; in a second pass, where they could not be kept, writes them.
template <class Block, class View>
struct ListContact {
  using Shifted = Shift<View::dimension>;
  Block* block;
  const View* grid;
  const DeviceListOutput* out;

  /// Where the second pass writes; negative before it.
  HGRID_HD offset_t& at() const { return block->template shared<offset_t>(block_scratch_bytes)[block->thread()]; }

  HGRID_HD bool operator()(index_t p, index_t q, const Shifted& shift) {
    if (at() < 0) return true;
    write(at()++, p, q, shift);
    return false;
  }

  HGRID_HD void write(offset_t place, index_t p, index_t q, const Shifted& shift) const {
    if (place >= out->capacity) return;
    report_listed(*grid, p, q, shift, [&](index_t i, index_t j, const Image& image) {
      out->pairs[place] = {i, j};
      if (out->images != nullptr) out->images[place] = image;
    });
  }
};

struct DeviceListSink {
  static constexpr int registers(int of_search) { return of_search; }

  DeviceListOutput out;

  template <class Block, class View>
  HGRID_HD ListContact<Block, View> contact(Block& block, const View& g) const {
    const ListContact<Block, View> contact{&block, &g, &out};
    contact.at() = -1;
    return contact;
  }
  /// Whether there are more tiles than states: the kernel then must not run, and the host makes room.
  HGRID_HD bool too_small(offset_t tiles) const { return tiles > out.most_tiles; }

  /// Writes what the block's threads have kept, or counts it. True where a thread has more: it must search again, to
  /// write it.
  template <class Block, class Lane, class Tiles>
  HGRID_HD bool commit(Block& block, Lane& lane, const Tiles& tiles) const {
    const index_t n = lane.found();
    const auto scanned = block_scan<offset_t>(block, n);
    const offset_t tile = this_tile(block);
    if (out.pass == ListPass::count) {
      if (block.thread() == 0) out.states[tile] = static_cast<word_t>(scanned.total);
      return false;
    }
    const offset_t before = (out.pass == ListPass::fill ? static_cast<offset_t>(out.states[tile])
                                                        : sum_of_tiles_before(block, out.states, tile, scanned.total)) +
                            (out.base == nullptr ? 0 : *out.base);
    if (block.thread() == 0 && tile == tiles() - 1) *out.total = before + scanned.total;
    for (int k = 0; k < lane.kept() && n == lane.kept(); ++k) {
      lane.contact.write(before + scanned.before + k, lane.slot(), lane.hit_slot(k), lane.hit_shift(k));
    }
    if (n == lane.kept()) return false;
    lane.contact.at() = before + scanned.before;
    return true;
  }
};

/// f(i, j, image) for each contact once, or with Visit::all for all partners j of i.
template <Visit visit, class F>
struct DeviceFunctorSink {
  static constexpr int registers(int) { return 72; }  // who knows what a functor needs

  template <class View>
  struct Contact {
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

  template <class Block, class View>
  HGRID_HD Contact<View> contact(Block&, const View& g) const {
    return {&g, &f};
  }
  HGRID_HD bool too_small(offset_t) const { return false; }
  template <class Block, class Lane, class Tiles>
  HGRID_HD bool commit(Block&, Lane&, const Tiles&) const {
    return false;
  }
};

}  // namespace hgrid::inline v0_1::detail
