// SPDX-License-Identifier: BSD-3-Clause
// Sorts by rank: the place of an entry is how many are less. No branch depends on the entries. Included inside a namespace,
// once for each instruction set, so it has no include guard and includes nothing.

constexpr index_t rank_lanes = 16;  // whole vectors, whatever they are

// The places among all n values of those from `first` on, `vectors` times rank_lanes.
#ifdef HGRID_WITH_HIGHWAY
template <int vectors>
void rank_some(const index_t* value, index_t n, index_t first, index_t* place) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::CappedTag<std::int32_t, rank_lanes> d;
  using V = hn::Vec<decltype(d)>;
  const auto lanes = static_cast<index_t>(hn::Lanes(d));
  for (index_t begin = first; begin < first + vectors * rank_lanes; begin += 4 * lanes) {
    const V a = hn::Load(d, value + begin), b = hn::Load(d, value + begin + lanes), c = hn::Load(d, value + begin + 2 * lanes),
            e = hn::Load(d, value + begin + 3 * lanes);
    V la = hn::Zero(d), lb = la, lc = la, le = la;
    for (index_t k = 0; k < n; ++k) {
      const V other = hn::Set(d, value[k]);  // a true lane is -1
      la = hn::Sub(la, hn::VecFromMask(d, hn::Gt(a, other))), lb = hn::Sub(lb, hn::VecFromMask(d, hn::Gt(b, other)));
      lc = hn::Sub(lc, hn::VecFromMask(d, hn::Gt(c, other))), le = hn::Sub(le, hn::VecFromMask(d, hn::Gt(e, other)));
    }
    hn::Store(la, d, place + begin), hn::Store(lb, d, place + begin + lanes);
    hn::Store(lc, d, place + begin + 2 * lanes), hn::Store(le, d, place + begin + 3 * lanes);
  }
}
#else
#endif

inline void rank_list(const EntryWord* words, index_t n, bool exact, index_t* neighbours, Image* images) {
  alignas(64) index_t value[most_ranked + 4 * rank_lanes], place[most_ranked + 4 * rank_lanes];
  const int shift = exact ? 0 : image_code_bits;
  for (index_t k = 0; k < n; ++k) value[k] = static_cast<index_t>(words[k] >> shift & INT32_MAX);
  for (index_t k = n; k < n + 4 * rank_lanes; ++k) value[k] = INT32_MAX;
  for (index_t first = 0; first < n; first += 2 * rank_lanes) rank_some<2>(value, n, first, place);
  index_t sum = 0;
  for (index_t k = 0; k < n; ++k) sum += place[k];
  EntryWord sorted[most_ranked];
  if (sum != n * (n - 1) / 2) {  // some are equal: the same neighbour under several images
    std::copy_n(words, n, sorted);
    std::sort(sorted, sorted + n);
    for (index_t k = 0; k < n; ++k) place[k] = k;
    words = sorted;
  }
  for (index_t k = 0; k < n; ++k) neighbours[place[k]] = neighbour_of(words[k]);
  for (index_t k = 0; k < n && images != nullptr; ++k) images[place[k]] = image_of(words[k]);
}

inline void rank_all(const EntryWord* words, const index_t* begin, index_t lists, bool exact, index_t* neighbours,
                     Image* images) {
  for (index_t k = 0; k < lists; ++k) {
    const index_t first = begin[k];
    if (k + 1 < lists) {
      fetch_to_write(neighbours + begin[k + 1], neighbours + begin[k + 2]);
      if (images != nullptr) fetch_to_write(images + begin[k + 1], images + begin[k + 2]);
    }
    rank_list(words + first, begin[k + 1] - first, exact, neighbours + first, images == nullptr ? nullptr : images + first);
  }
}
