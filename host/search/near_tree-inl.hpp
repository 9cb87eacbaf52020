// SPDX-License-Identifier: BSD-3-Clause
// The loops of the nearest-neighbor search in a tree. Included inside a namespace, once for each instruction set, so this file
// has no include guard and includes nothing.

constexpr int leaf_places = ChildBoxes<2>::children;

#ifdef HGRID_WITH_HIGHWAY
static_assert(leaf_places == NearPiece::most);
template <int D>
struct TreeLanes {
  Keys x[D], by[D], farthest[D];

  TreeLanes(const NearQuery<D>& p, const Vec<double, D>& shift) {
    for (int k = 0; k < D; ++k) {
      x[k] = hn::Set(keys_at_once, p.x[k]), by[k] = hn::Set(keys_at_once, shift[k]);
      farthest[k] = hn::Set(keys_at_once, p.farthest[k]);
    }
  }
};

// Stores for each child of a node a lower bound of the keys of its particles. `radius` has the largest radius of each child.
// Returns bits of the children that may hold a particle within the bound.
template <bool surfaces, int D>
unsigned keys_of_children(const TreeLanes<D>& p, const ChildBoxes<D>& node, const double* radius, double bound, double* key) {
  unsigned bits = 0;
  for (index_t l = 0; l < leaf_places; l += key_lanes) {
    Keys keys = hn::Zero(keys_at_once);
    auto is_near = hn::FirstN(keys_at_once, key_lanes);
    for (int k = 0; k < D; ++k) {
      const Keys below = hn::Sub(hn::Sub(p.x[k], hn::LoadU(keys_at_once, node.lo[k] + l)), p.by[k]);
      const Keys above = hn::Sub(hn::Sub(p.x[k], hn::LoadU(keys_at_once, node.hi[k] + l)), p.by[k]);
      const Keys away = hn::Max(hn::Max(hn::Neg(below), above), hn::Zero(keys_at_once));
      is_near = hn::And(is_near, hn::Le(away, p.farthest[k]));
      keys = k == 0 ? hn::Mul(away, away) : hn::Add(keys, hn::Mul(away, away));
    }
    if constexpr (surfaces) keys = hn::Sub(hn::Sqrt(keys), hn::LoadU(keys_at_once, radius + l));
    hn::StoreU(keys, keys_at_once, key + l);
    bits |= bits_of(keys_at_once, hn::And(is_near, hn::Le(keys, hn::Set(keys_at_once, bound)))) << l;
  }
  return bits;
}

// Stores the keys and places of a leaf within the bound. The bits of `there` select its places. Returns their number.
template <bool surfaces, int D>
index_t add_leaf(const TreeLanes<D>& p, const NearTreeView<D>& tree, index_t begin, unsigned there, double bound, double* key,
                 index_t* place) {
  index_t n = 0;
  for (index_t l = 0; l < leaf_places; l += key_lanes, there >>= key_lanes) {
    Keys keys = hn::Zero(keys_at_once);
    for (int k = 0; k < D; ++k) {
      const Keys d = hn::Sub(hn::Sub(p.x[k], hn::LoadU(keys_at_once, tree.x[k] + begin + l)), p.by[k]);
      keys = k == 0 ? hn::Mul(d, d) : hn::Add(keys, hn::Mul(d, d));
    }
    if constexpr (surfaces) keys = hn::Sub(hn::Sqrt(keys), hn::LoadU(keys_at_once, tree.radius + begin + l));
    const unsigned bits = bits_of(keys_at_once, hn::Le(keys, hn::Set(keys_at_once, bound))) & there;
    // With our own table: lane_numbers.hpp has the reason.
    const auto lanes = hn::PromoteTo(slots_at_once, hn::LoadU(bytes_at_once, lane_numbers[bits].data()));
    const auto wide = hn::IndicesFromVec(keys_at_once, hn::PromoteTo(hn::RebindToSigned<decltype(keys_at_once)>(), lanes));
    hn::StoreU(hn::TableLookupLanes(keys, wide), keys_at_once, key + n);
    hn::StoreU(hn::Add(hn::Set(slots_at_once, begin + l), lanes), slots_at_once, place + n);
    n += static_cast<index_t>(hwy::PopCount(bits));
  }
  return n;
}

#else
template <int D>
struct TreeLanes {
  Vec<double, D> x, by, farthest;
  TreeLanes(const NearQuery<D>& p, const Vec<double, D>& shift) : x(p.x), by(shift), farthest(p.farthest) {}
};

template <bool surfaces, int D>
unsigned keys_of_children(const TreeLanes<D>& p, const ChildBoxes<D>& node, const double* radius, double bound, double* key) {
  unsigned bits = 0;
  for (int c = 0; c < leaf_places; ++c) {
    double squared = 0;
    bool is_near = true;
    for (int k = 0; k < D; ++k) {
      const double below = separated(p.x[k], node.lo[k][c], p.by[k]), above = separated(p.x[k], node.hi[k][c], p.by[k]);
      const double away = larger_of(larger_of(-below, above), 0.0);
      is_near = is_near && away <= p.farthest[k];
      squared = k == 0 ? mul_rn(away, away) : add_rn(squared, mul_rn(away, away));
    }
    key[c] = surfaces ? sub_rn(std::sqrt(squared), radius[c]) : squared;
    bits |= static_cast<unsigned>(is_near && key[c] <= bound) << c;
  }
  return bits;
}

template <bool surfaces, int D>
index_t add_leaf(const TreeLanes<D>& p, const NearTreeView<D>& tree, index_t begin, unsigned there, double bound, double* key,
                 index_t* place) {
  index_t n = 0;
  for (index_t q = begin; q < begin + leaf_places; ++q, there >>= 1) {
    double squared = 0;
    for (int k = 0; k < D; ++k) {
      const double d = separated(p.x[k], tree.x[k][q], p.by[k]);
      squared = k == 0 ? mul_rn(d, d) : add_rn(squared, mul_rn(d, d));
    }
    key[n] = surfaces ? sub_rn(std::sqrt(squared), tree.radius[q]) : squared, place[n] = q;
    n += static_cast<index_t>(key[n] <= bound) & static_cast<index_t>(there & 1);
  }
  return n;
}

#endif

bool comes_before(const NearFound& found, const index_t* id, index_t a, index_t b) {
  return found.columns.key[a] < found.columns.key[b] ||
         (found.columns.key[a] == found.columns.key[b] && id[found.columns.slot[a]] < id[found.columns.slot[b]]);
}

void move_found(NearFound& found, index_t from, index_t to) {
  found.columns.key[to] = found.columns.key[from], found.columns.slot[to] = found.columns.slot[from],
  found.columns.image[to] = found.columns.image[from];
}

// Drops all particles after the k-th, whose key becomes the bound.
void tighten(NearFound& found, const index_t* id) {
  index_t last = 0;
  if (found.k == 1) {
    for (index_t i = 1; i < found.count; ++i) last = comes_before(found, id, i, last) ? i : last;
    move_found(found, last, 0);
    found.count = 1, found.bound = found.columns.key[0], found.bound_id = id[found.columns.slot[0]];
    return;
  }
  order_any(found.columns, found.count, found.k, id);
  last = found.columns.order[found.k - 1];
  const double bound = found.bound = found.columns.key[last];
  const index_t last_id = found.bound_id = id[found.columns.slot[last]];
  index_t kept = 0;
  for (index_t i = 0; i < found.count; ++i) {  // no branch depends on a key, except for equal keys
    bool is_one = found.columns.key[i] < bound;
    if (found.columns.key[i] == bound) is_one = id[found.columns.slot[i]] <= last_id;
    move_found(found, i, kept);
    kept += static_cast<index_t>(is_one);
  }
  found.count = kept;
}

template <bool surfaces, int D>
void look_at_leaf(const NearTreeView<D>& tree, const TreeLanes<D>& lanes, const NearRange& range, index_t begin,
                  const NearQuery<D>& query, const NearImage<D>& image, NearFound& found) {
  const auto bits_from = [&](index_t place) { return place <= begin ? 0xffU : (0xffU << std::min(place - begin, 31)) & 0xffU; };
  unsigned there = bits_from(range.begin) & ~bits_from(range.end);
  if (query.itself >= begin && query.itself < begin + leaf_places) there &= ~(1U << (query.itself - begin));
  const index_t first = found.count;
  const index_t end =
      first + add_leaf<surfaces>(lanes, tree, begin, there, found.bound, found.columns.key + first, found.columns.slot + first);
  for (index_t i = first; i < end; ++i) {
    if (found.columns.key[i] > query.certain && !image.is_nearest(found.columns.slot[i], found.columns.key[i])) continue;
    found.columns.key[found.count] = found.columns.key[i], found.columns.slot[found.count] = found.columns.slot[i],
    found.columns.image[found.count] = image.number;
    ++found.count;
  }
  const index_t spare = found.k == 1 ? 0 : std::max(found.k / 4, 4);
  if (found.count > found.k + spare || (found.k == 1 && found.count > first)) tighten(found, tree.id);
}

// The nodes of one height: each has as many places, and eight children.
struct NearHeight {
  int height;

  // Returns the lowest height of which one node holds a range.
  static NearHeight of(const NearRange& range) {
    NearHeight h{0};
    while (h.node_of(range.begin) != h.node_of(range.end - 1)) ++h.height;
    return h;
  }
  index_t node_of(index_t place) const { return static_cast<index_t>(place >> shift(height)); }

  // Returns bits of the children of a node that hold places of a range.
  unsigned children(index_t number, const NearRange& range) const {
    const index_t first = number * leaf_places;
    const int by = shift(height - 1);
    const index_t from = std::max((range.begin >> by) - first, 0), to = std::min(((range.end - 1) >> by) - first, 7);
    return (0xffU << from) & (0xffU >> (7 - to));
  }

 private:
  static int shift(int height) { return std::min(3 * height + 6, 31); }  // of places in a node
};

// A node on the way down, with the children that are left to visit.
struct OpenNode {
  index_t number;
  unsigned left;  // their bits
  double key[leaf_places];

  int nearest() const {
    int nearest = std::countr_zero(left);
    for (unsigned bits = left & (left - 1); bits != 0; bits &= bits - 1) {
      const int child = std::countr_zero(bits);
      nearest = key[child] < key[nearest] ? child : nearest;
    }
    return nearest;
  }
};

template <bool surfaces, int D>
void look_in_range(const NearTreeView<D>& tree, const NearRange& range, const NearQuery<D>& query, const NearImage<D>& image,
                   NearFound& found) {
  if (range.begin >= range.end) return;
  const TreeLanes<D> lanes(query, image.by);
  const int top = NearHeight::of(range).height;
  OpenNode open[SlotBoxesView<D>::most_heights + 1];  // one of each height
  int h = top;
  const auto go_to = [&](index_t number) {
    open[h].number = number;
    open[h].left = NearHeight{h}.children(number, range) & keys_of_children<surfaces>(lanes, tree.boxes.node(h, number),
                                                                                      tree.boxes.facts_of(h, number).radius,
                                                                                      found.bound, open[h].key);
  };
  go_to(NearHeight{h}.node_of(range.begin));
  for (;;) {
    OpenNode& node = open[h];
    if (node.left == 0) {
      if (h++ == top) return;
      continue;
    }
    const int child = node.nearest();
    node.left &= ~(1U << child);
    if (node.key[child] > found.bound) {
      node.left = 0;
    } else if (node.key[child] == found.bound && tree.boxes.facts_of(h, node.number).least_id[child] > found.bound_id) {
      continue;
    } else if (h == 0) {
      look_at_leaf<surfaces>(tree, lanes, range, (node.number * leaf_places + child) * leaf_places, query, image, found);
    } else {
      --h, go_to(node.number * leaf_places + child);
    }
  }
}

template <int D>
void descend_to_leaves(const NearTreeView<D>& tree, const NearRange& range, const Vec<double, D>* points, index_t count,
                       cell_key_t* leaf) {
  const int top = NearHeight::of(range).height;
  Vec<double, D> anywhere;
  for (int k = 0; k < D; ++k) anywhere[k] = HUGE_VAL;
  for (index_t i = 0; i < count; ++i) {
    const TreeLanes<D> lanes({points[i], -1, anywhere, HUGE_VAL}, {});
    OpenNode node{NearHeight{top}.node_of(range.begin), 0, {}};
    for (int h = top; h >= 0; --h) {
      keys_of_children<false>(lanes, tree.boxes.node(h, node.number), nullptr, HUGE_VAL, node.key);
      node.left = NearHeight{h}.children(node.number, range);
      node.number = node.number * leaf_places + node.nearest();
    }
    leaf[i] = static_cast<cell_key_t>(node.number);
  }
}
