// SPDX-License-Identifier: BSD-3-Clause
// A client that is compiled with flags of its own: it makes the calls whose code is in headers, and prints a checksum of all
// that they find. Spheres lie on a lattice, so that many touch exactly, and one rounding more or less is another set.
#include <hgrid/core/search.hpp>
#include <hgrid/hgrid.hpp>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

std::uint64_t sum = 0;

void add(std::uint64_t value) { sum = (sum ^ value) * 0x9e3779b97f4a7c15u, sum ^= sum >> 29; }

void add(hgrid::index_t i, hgrid::index_t j, const hgrid::Image& m) {
  add(static_cast<std::uint32_t>(i)), add(static_cast<std::uint32_t>(j));
  for (const std::int32_t k : m.m) add(static_cast<std::uint32_t>(k));
}

template <class Exec, class Real>
void use(const Exec& exec, const std::vector<Real>& x, const std::vector<Real>& r, const hgrid::Box3& box) {
  const auto particles = hgrid::particles<3>(x.data(), r.data(), static_cast<std::int64_t>(r.size()));
  hgrid::Grid grid(exec, box);
  grid.build(particles);
  std::atomic<std::uint64_t> found{0};  // in any order, from three threads
  grid.for_each_contact(
      [&](hgrid::index_t i, hgrid::index_t j, const hgrid::Image&) { found += std::uint64_t(i + 1) * (j + 7); });
  grid.for_each_partner(
      [&](hgrid::index_t i, hgrid::index_t j, const hgrid::Image&) { found += std::uint64_t(i + 3) * (j + 5); });
  add(found.load()), add(static_cast<std::uint64_t>(grid.count()));
  const auto view = grid.view();
  for (hgrid::index_t slot = 0; slot < view.slots(); ++slot) {  // as a user's own kernel does
    hgrid::for_each_partner(view, slot, [&](hgrid::index_t j, const hgrid::Image& m) { add(view.id[slot], j, m); });
  }
  auto pairs = grid.make_pairs();
  grid.pairs(pairs, hgrid::Order::sorted);
  for (hgrid::offset_t k = 0; k < pairs.size(); ++k) {
    add(pairs.pairs()[k].i, pairs.pairs()[k].j, pairs.has_images() ? pairs.images()[k] : hgrid::Image{});
  }
  hgrid::Queries queries(grid);
  std::vector<hgrid::Region<3>> regions;
  for (std::size_t i = 0; i < r.size(); i += 17) {
    regions.push_back(hgrid::Region<3>::sphere({x[3 * i], x[3 * i + 1], x[3 * i + 2]}, 2 * r[i]));
  }
  const auto& near = queries.find(regions.data(), static_cast<hgrid::offset_t>(regions.size()));
  for (hgrid::offset_t k = 0; k < near.size(); ++k) add(static_cast<std::uint32_t>(near.neighbours()[k]));
  hgrid::VerletList list(grid, {.kind = hgrid::ListKind::full, .skin = 0.05});
  add(list.update(particles)), add(list.update(particles)), add(static_cast<std::uint64_t>(list.neighbours().size()));
}

template <class Real>
void use_reals(std::size_t edge) {
  std::vector<Real> x, r;
  for (std::size_t i = 0; i < edge * edge * edge; ++i) {
    const double at[] = {static_cast<double>(i % edge), static_cast<double>(i / edge % edge),
                         static_cast<double>(i / edge / edge)};
    for (const double c : at) x.push_back(static_cast<Real>(0.1 * c + 0.7));
    r.push_back(static_cast<Real>(i % 5 == 0 ? 0.1 * 0.70710678118654757 : 0.05));
  }
  const double period = 0.1 * static_cast<double>(edge);
  for (const hgrid::Box3& box :
       {hgrid::Box3::open(), hgrid::Box3::periodic({0.7, 0.7, 0.7}, {0.7 + period, 0.7 + period, 0.7 + period})}) {
    use(hgrid::SerialExec{}, x, r, box);
    use(hgrid::OpenMPExec(3), x, r, box);
  }
}

}  // namespace

int main() {
  use_reals<double>(12);
  use_reals<float>(9);
  std::printf("%016llx\n", static_cast<unsigned long long>(sum));
}
