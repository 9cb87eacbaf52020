// SPDX-License-Identifier: BSD-3-Clause
// The sort of neighbor lists, for the counts of warps without a device (model.py): full lists with images of N random points in
// a periodic cube, of a mean length each; as many lists as hold MOST entries, their entries in any order.
//   gpu_lists [--most MOST] N MEAN...
#include <cuda_profiler_api.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "hgrid/cuda.hpp"
#include "hgrid/hgrid.hpp"

namespace {

template <class T>
hgrid::detail::CudaBuffer<T> placed(const hgrid::CudaExec& exec, const std::vector<T>& from) {
  hgrid::detail::CudaBuffer<T> to(exec, static_cast<hgrid::offset_t>(from.size()));
  exec.copy_in(to.data(), from.data(), to.size());
  return to;
}

void sort(std::int64_t n, double mean, hgrid::offset_t most) {
  std::mt19937_64 random(1);
  std::vector<double> x(static_cast<std::size_t>(3 * n));
  for (double& coordinate : x) coordinate = std::uniform_real_distribution<>()(random);
  const std::vector<double> r(static_cast<std::size_t>(n), 0.5 * std::cbrt(mean / (static_cast<double>(n) * 4.18879020478639)));
  hgrid::Grid<hgrid::SerialExec, 3> grid(hgrid::SerialExec(), hgrid::Box3::periodic({0, 0, 0}, {1, 1, 1}));
  grid.build(hgrid::particles<3>(x.data(), r.data(), n));
  auto list = grid.make_list(hgrid::ListKind::full);
  grid.find(list);

  hgrid::offset_t lists = list.lists();
  while (list.offsets()[lists] > most) --lists;
  const std::vector<hgrid::offset_t> offsets(list.offsets(), list.offsets() + lists + 1);
  std::vector<hgrid::index_t> neighbours;
  std::vector<hgrid::Image> images;
  for (hgrid::offset_t i = 0; i < lists; ++i) {
    std::vector<hgrid::offset_t> order;
    for (hgrid::offset_t k = offsets[i]; k < offsets[i + 1]; ++k) order.push_back(k);
    std::shuffle(order.begin(), order.end(), random);
    for (const hgrid::offset_t k : order) neighbours.push_back(list.neighbours()[k]), images.push_back(list.images()[k]);
  }

  const hgrid::CudaExec exec;
  const auto there = placed(exec, offsets);
  auto to = placed(exec, neighbours);
  auto to_images = placed(exec, images);
  exec.reserve_lists(lists, offsets.back());
  exec.wait();
  hgrid::detail::check_cuda(cudaProfilerStart(), "cudaProfilerStart");
  exec.sort_lists(lists, there.data(), hgrid::detail::ListEntries{to.data(), to_images.data()}, offsets.back());
  exec.wait();
  hgrid::detail::check_cuda(cudaProfilerStop(), "cudaProfilerStop");
  exec.copy_out(neighbours.data(), to.data(), to.size());
  exec.copy_out(images.data(), to_images.data(), to_images.size());
  if (!std::equal(neighbours.begin(), neighbours.end(), list.neighbours()) ||
      !std::equal(images.begin(), images.end(), list.images())) {
    throw std::runtime_error("the lists differ from those of the host");
  }
  std::printf("{\"n\": %zu, \"lists\": %lld}\n", neighbours.size(), static_cast<long long>(lists));
}

}  // namespace

int main(int argc, char** argv) try {
  int k = 1;
  hgrid::offset_t most = 200'000;
  if (k + 1 < argc && std::string_view(argv[k]) == "--most") most = std::atoll(argv[k + 1]), k += 2;
  const std::int64_t n = k < argc ? std::atoll(argv[k++]) : 0;
  if (n <= 0 || k >= argc) return std::fprintf(stderr, "gpu_lists [--most MOST] N MEAN...\n"), 2;
  for (; k < argc; ++k) sort(n, std::atof(argv[k]), most);
  return 0;
} catch (const std::exception& e) {
  return std::fprintf(stderr, "%s\n", e.what()), 1;
}
