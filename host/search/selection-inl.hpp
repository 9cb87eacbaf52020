// SPDX-License-Identifier: BSD-3-Clause
// Selected lanes of vectors. Included inside a namespace, once for each instruction set, so this file has no include guard and
// includes nothing.

// Returns the bits of a mask of at most vector_room lanes.
template <class Tag>
unsigned bits_of(Tag d, hn::Mask<Tag> mask) {
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(d, mask, bytes);
  return bytes[0] | unsigned{bytes[1]} << 8;
}

// Stores the lanes of vectors that the bits select, one after the other, and arbitrary values after them. Compressing in a
// register and storing it whole is much faster than a compressing store on some machines.
template <class Tag>
class Selection {
 public:
  Selection(Tag d, unsigned bits) : d_(d) {
#if HWY_TARGET <= HWY_AVX3
    const std::uint8_t bytes[8] = {static_cast<std::uint8_t>(bits), static_cast<std::uint8_t>(bits >> 8)};
    lanes_ = hn::LoadMaskBits(d, bytes);
#else
    lanes_ = hn::PromoteTo(d, hn::LoadU(hn::Rebind<std::uint8_t, Tag>(), lane_numbers[bits].data()));
#endif
  }

  void store(hn::Vec<Tag> v, std::int32_t* to) const {
#if HWY_TARGET <= HWY_AVX3
    hn::StoreU(hn::Compress(v, lanes_), d_, to);
#else
    hn::StoreU(hn::TableLookupLanes(v, hn::IndicesFromVec(d_, lanes_)), d_, to);
#endif
  }

 private:
  Tag d_;
#if HWY_TARGET <= HWY_AVX3
  hn::Mask<Tag> lanes_;
#else
  hn::Vec<Tag> lanes_;
#endif
};
