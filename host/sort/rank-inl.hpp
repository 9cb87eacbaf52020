// SPDX-License-Identifier: BSD-3-Clause
// Sorts lists by rank: the place of an entry is the number of lesser entries, and no branch depends on the entries. Sorts long
// lists by digits. Included inside a namespace, once for each instruction set, so this file has no include guard and includes
// nothing.

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

// Sorts a long list by digits. Returns the sorted entries.
[[gnu::noinline]] inline const EntryWord* sort_long_list(const RankedLists& in, EntryWord* words, index_t n) {
  SortWords<index_t> sort;
  const int end_bit = image_code_bits + in.id_bits;
  EntryWord* const sorted = sort(words, in.other, n, image_code_bits, end_bit);
  index_t alike = 0;  // a neighbor under several images
  for (index_t k = 1; k < n; ++k) alike += neighbour_of(sorted[k]) == neighbour_of(sorted[k - 1]);
  return alike == 0 ? sorted : sort(sorted, sorted == words ? in.other : words, n, 0, end_bit);
}

// Calls f(words, n, place_of) with the entries of list `number`; place_of(k) is the place of entry k in the sorted list.
template <class F>
void sort_list(const RankedLists& in, index_t number, const F& f) {
  EntryWord* const words = in.words + in.begin[number];
  const index_t n = in.begin[number + 1] - in.begin[number];
  const auto in_place = [](index_t k) { return k; };
  if (n > most_ranked) return f(sort_long_list(in, words, n), n, in_place);
  alignas(64) index_t value[most_ranked + rank_room], place[most_ranked + rank_room];
  const int shift = in.id_bits <= 16 ? 0 : image_code_bits;  // the 31 lowest bits distinguish all entries, or their neighbors
  for (index_t k = 0; k < n; ++k) value[k] = static_cast<index_t>(words[k] >> shift & INT32_MAX);
  for (index_t k = n; k < n + rank_room; ++k) value[k] = INT32_MAX;
  find_places(value, n, place);
  index_t sum = 0;
  for (index_t k = 0; k < n; ++k) sum += place[k];
  if (sum == n * (n - 1) / 2) return f(words, n, [&](index_t k) { return place[k]; });
  std::sort(words, words + n);  // some are equal: a neighbor under several images
  f(words, n, in_place);
}

inline void rank_into_lists(const RankedLists& in, index_t* neighbours, Image* images) {
  for (index_t k = 0; k < in.lists; ++k) {
    const index_t first = in.begin[k];
    if (k + 1 < in.lists) {
      fetch_to_write(neighbours + in.begin[k + 1], neighbours + in.begin[k + 2]);
      if (images != nullptr) fetch_to_write(images + in.begin[k + 1], images + in.begin[k + 2]);
    }
    sort_list(in, k, [&](const EntryWord* words, index_t n, const auto& place_of) {
      for (index_t e = 0; e < n; ++e) neighbours[first + place_of(e)] = neighbour_of(words[e]);
      for (index_t e = 0; e < n && images != nullptr; ++e) images[first + place_of(e)] = image_of(words[e]);
    });
  }
}

inline void rank_into_packed(const RankedLists& in, PackedNeighbour* out) {
  for (index_t k = 0; k < in.lists; ++k) {
    const index_t first = in.begin[k];
    if (k + 1 < in.lists) fetch_to_write(out + in.begin[k + 1], out + in.begin[k + 2]);
    sort_list(in, k, [&](const EntryWord* words, index_t n, const auto& place_of) {
      for (index_t e = 0; e < n; ++e) out[first + place_of(e)] = packed_of(words[e]);
    });
  }
}
