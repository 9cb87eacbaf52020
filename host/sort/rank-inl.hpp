// SPDX-License-Identifier: BSD-3-Clause
// Sorts by rank: the place of an entry is the number of lesser entries. No branch depends on the entries. Included inside a
// namespace, once for each instruction set, so this file has no include guard and includes nothing.

constexpr index_t rank_room = 64;  // arrays of values and places have this room beyond n

// Computes the place of each of n values: the number of lesser values.
#ifdef HGRID_WITH_HIGHWAY
inline void find_places(const index_t* value, index_t n, index_t* place) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::CappedTag<std::int32_t, rank_room / 4> d;
  using V = hn::Vec<decltype(d)>;
  constexpr int at_once = 4;
  const auto lanes = static_cast<index_t>(hn::Lanes(d));
  for (index_t first = 0; first < n; first += at_once * lanes) {
    V own[at_once], less[at_once];
    for (int v = 0; v < at_once; ++v) own[v] = hn::Load(d, value + first + v * lanes), less[v] = hn::Zero(d);
    for (index_t k = 0; k < n; ++k) {
      const V other = hn::Set(d, value[k]);
      for (int v = 0; v < at_once; ++v) less[v] = hn::Sub(less[v], hn::VecFromMask(d, hn::Gt(own[v], other)));  // true is -1
    }
    for (int v = 0; v < at_once; ++v) hn::Store(less[v], d, place + first + v * lanes);
  }
}
#else
inline void find_places(const index_t* value, index_t n, index_t* place) {
  std::fill_n(place, n, 0);
  for (index_t k = 0; k < n; ++k) {
    for (index_t l = 0; l < n; ++l) place[l] += value[k] < value[l];
  }
}
#endif

// Calls f(words, n, place) with the entries of a list; `place` holds the place of each in the sorted list.
template <class F>
void rank_list(const EntryWord* words, index_t n, bool exact, const F& f) {
  alignas(64) index_t value[most_ranked + rank_room], place[most_ranked + rank_room];
  const int shift = exact ? 0 : image_code_bits;
  for (index_t k = 0; k < n; ++k) value[k] = static_cast<index_t>(words[k] >> shift & INT32_MAX);
  for (index_t k = n; k < n + rank_room; ++k) value[k] = INT32_MAX;
  find_places(value, n, place);
  index_t sum = 0;
  for (index_t k = 0; k < n; ++k) sum += place[k];
  EntryWord sorted[most_ranked];
  if (sum != n * (n - 1) / 2) {  // some are equal: a neighbor under several images
    std::copy_n(words, n, sorted);
    std::sort(sorted, sorted + n);
    for (index_t k = 0; k < n; ++k) place[k] = k;
    words = sorted;
  }
  f(words, n, place);
}

inline void rank_into_lists(const RankedLists& in, index_t* neighbours, Image* images) {
  for (index_t k = 0; k < in.lists; ++k) {
    const index_t first = in.begin[k];
    if (k + 1 < in.lists) {
      fetch_to_write(neighbours + in.begin[k + 1], neighbours + in.begin[k + 2]);
      if (images != nullptr) fetch_to_write(images + in.begin[k + 1], images + in.begin[k + 2]);
    }
    rank_list(in.words + first, in.begin[k + 1] - first, in.exact,
              [&](const EntryWord* words, index_t n, const index_t* place) {
                for (index_t e = 0; e < n; ++e) neighbours[first + place[e]] = neighbour_of(words[e]);
                for (index_t e = 0; e < n && images != nullptr; ++e) images[first + place[e]] = image_of(words[e]);
              });
  }
}

inline void rank_into_packed(const RankedLists& in, PackedNeighbour* out) {
  for (index_t k = 0; k < in.lists; ++k) {
    const index_t first = in.begin[k];
    if (k + 1 < in.lists) fetch_to_write(out + in.begin[k + 1], out + in.begin[k + 2]);
    rank_list(in.words + first, in.begin[k + 1] - first, in.exact,
              [&](const EntryWord* words, index_t n, const index_t* place) {
                for (index_t e = 0; e < n; ++e) out[first + place[e]] = packed_of(words[e]);
              });
  }
}
