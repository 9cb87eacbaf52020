// SPDX-License-Identifier: BSD-3-Clause
// A client that is compiled with flags of its own. It makes the calls whose code is in headers, and prints a checksum of all
// contacts. Pairs touch to the last bit, so one rounding more or less gives another set.
#include <hgrid/core/search.hpp>
#include <hgrid/hgrid.hpp>
#include <hgrid/loop.hpp>
#include <hgrid/queries.hpp>

#include <atomic>
#include <cmath>
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
  grid.find(pairs, {.order = hgrid::Order::sorted});
  for (hgrid::offset_t k = 0; k < pairs.size(); ++k) {
    add(pairs.pairs()[k].i, pairs.pairs()[k].j, pairs.has_images() ? pairs.images()[k] : hgrid::Image{});
  }
  std::vector<hgrid::Region<3>> regions;
  for (std::size_t i = 0; i < r.size(); i += 17) {
    regions.push_back(hgrid::Region<3>::sphere({x[3 * i], x[3 * i + 1], x[3 * i + 2]}, 2 * r[i]));
  }
  auto near = grid.make_list(hgrid::ListKind::full);
  grid.find(near, hgrid::Regions{regions.data(), static_cast<hgrid::offset_t>(regions.size())});
  for (hgrid::offset_t k = 0; k < near.size(); ++k) add(static_cast<std::uint32_t>(near.neighbours()[k]));
  hgrid::VerletList list(grid, {.kind = hgrid::ListKind::full, .skin = 0.05});
  add(list.update(particles)), add(list.update(particles)), add(static_cast<std::uint64_t>(list.neighbours().size()));
}

// Draws pairs apart from each other, whose distance equals the sum of radii to the last bit. Positions are multiples of 2^-40,
// so differences are exact, and squares are not.
void use_tight_pairs() {
  std::vector<double> x, r;
  std::uint64_t state = 1;
  for (int pair = 0; pair < 4096; ++pair) {
    const int at[] = {4 * (pair % 16), 4 * (pair / 16 % 16), 4 * (pair / 256)};
    long double squared = 0;  // x87's, which nothing fuses
    double away[3];
    for (double& d : away) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      d = 0.5 + static_cast<double>(state >> 25) * 0x1p-40;
      squared += static_cast<long double>(d) * d;
    }
    for (const int c : at) x.push_back(c);
    for (int k = 0; k < 3; ++k) x.push_back(at[k] + away[k]);
    for (int k = 0; k < 2; ++k) r.push_back(static_cast<double>(std::sqrt(squared) / 2));
  }
  for (const hgrid::Box3& box : {hgrid::Box3::open(), hgrid::Box3::periodic({0, 0, 0}, {64, 64, 64})}) {
    use(hgrid::SerialExec{}, x, r, box);
    use(hgrid::OpenMPExec(3), x, r, box);
  }
}

}  // namespace

int main() {
  use_tight_pairs();
  std::vector<float> x, r;
  for (int i = 0; i < 3000; ++i) {
    for (int k = 0; k < 3; ++k) x.push_back(static_cast<float>((i * (k * 14 + 7)) % 89));
    r.push_back(static_cast<float>(i % 5 == 0 ? 3.5 : 1.25));
  }
  use(hgrid::SerialExec{}, x, r, hgrid::Box3::periodic({0, 0, 0}, {89, 89, 89}));
  std::printf("%016llx\n", static_cast<unsigned long long>(sum));
}
