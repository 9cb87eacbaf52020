// SPDX-License-Identifier: BSD-3-Clause
// Capsules fall into a box. Reports as CSV, one line each `report` steps, with a file of the capsules if frames=FOLDER.
#include "capsules.hpp"

#include <chrono>
#include <cstdio>
#include <fstream>

#include "options.hpp"

namespace {

void write_frame(const dem::Bodies& b, const std::string& name) {
  std::ofstream file(name);
  file.precision(9);
  file << "x,y,z,hx,hy,hz,r\n";
  for (std::size_t i = 0; i < b.x.size(); ++i) {
    for (const Vector& part : {b.x[i], b.half[i]}) file << part[0] << ',' << part[1] << ',' << part[2] << ',';
    file << b.radius[i] << '\n';
  }
  if (!file) throw std::runtime_error("cannot write " + name);
}

template <class Exec>
void run(const Exec& exec, const dem::Options& options) {
  const dem::Heap heap(static_cast<std::size_t>(options.number("particles")), static_cast<std::size_t>(options.number("side")),
                       static_cast<std::uint64_t>(options.number("seed")));
  dem::CapsuleSimulation simulation(exec, heap.world, heap.bodies);
  const auto steps = static_cast<long>(options.number("steps")), every = static_cast<long>(options.number("report"));
  double seconds = 0;
  std::printf("step,time,kinetic,rotation,elastic,height,contacts\n");
  for (long step = 0;; ++step) {
    if (step % every == 0) {
      const dem::Energy e = simulation.energy();
      std::printf("%ld,%.6g,%.9g,%.9g,%.9g,%.9g,%lld\n", step, static_cast<double>(step) * heap.world.dt, e.kinetic, e.rotation,
                  e.elastic, e.height, static_cast<long long>(e.contacts / 2));
      const std::string& folder = options.text("frames");
      if (!folder.empty()) write_frame(simulation.bodies(), folder + "/frame" + std::to_string(step / every) + ".csv");
    }
    if (step >= steps) break;
    const auto begin = std::chrono::steady_clock::now();
    simulation.step();
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
  std::fprintf(stderr, "%s, %zu capsules, %ld steps in %.3f s\n", exec.name(), heap.bodies.x.size(), steps, seconds);
}

}  // namespace

int main(int argc, char* argv[]) {
  try {
    const dem::Options options(argc, argv, {{"particles", "400"}, {"side", "3"}, {"steps", "60000"}, {"report", "20000"},
                                            {"seed", "1"}, {"exec", "openmp"}, {"frames", ""}});
    if (options.is("exec", "serial")) run(hgrid::SerialExec{}, options);
    else run(hgrid::OpenMPExec{}, options);
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "capsules: %s\n", e.what());
    return 1;
  }
}
