// SPDX-License-Identifier: BSD-3-Clause
// Capsules or superellipsoids fall into a box. Reports as CSV, one line each `report` steps, with a file of the bodies if
// frames=FOLDER.
#include <chrono>
#include <cstdio>
#include <fstream>

#include "capsules.hpp"
#include "options.hpp"
#include "superellipsoids.hpp"

namespace {

template <class... T>
void write_line(std::ofstream& file, const Vector& x, const T&... vectors) {
  file << x[0] << ',' << x[1] << ',' << x[2];
  (void(file << ',' << vectors[0] << ',' << vectors[1] << ',' << vectors[2]), ...);
}
void write_body(std::ofstream& file, const Vector& x, const dem::Capsule& c) {
  write_line(file, x, c.half);
  file << ',' << c.radius << '\n';
}
void write_body(std::ofstream& file, const Vector& x, const Superellipsoid& s) {
  write_line(file, x, s.axis[0], s.axis[1], s.axis[2], s.half);
  file << ',' << s.e << ',' << s.n << '\n';
}

template <class Shape>
void write_frame(const dem::Bodies<Shape>& b, double width, const std::string& name) {
  std::ofstream file(name);
  file.precision(9);
  file << "# bodies in a box of width " << width << '\n';
  for (std::size_t i = 0; i < b.x.size(); ++i) write_body(file, b.x[i], b.shape[i]);
  if (!file) throw std::runtime_error("cannot write " + name);
}

template <class Shape, class Exec>
void run(const Exec& exec, const dem::Options& options) {
  const auto count = static_cast<std::size_t>(options.number("particles")), side = static_cast<std::size_t>(options.number("side"));
  const dem::Heap<Shape> heap(count, side, static_cast<std::uint64_t>(options.number("seed")));
  dem::BodySimulation<Exec, Shape> simulation(exec, heap.world, heap.bodies);
  const auto steps = static_cast<long>(options.number("steps")), every = static_cast<long>(options.number("report"));
  double seconds = 0;
  std::printf("step,time,kinetic,rotation,elastic,height,contacts\n");
  for (long step = 0;; ++step) {
    if (step % every == 0) {
      const dem::Energy e = simulation.energy();
      std::printf("%ld,%.6g,%.9g,%.9g,%.9g,%.9g,%lld\n", step, static_cast<double>(step) * heap.world.dt, e.kinetic, e.rotation,
                  e.elastic, e.height, static_cast<long long>(e.contacts / 2));
      const std::string& folder = options.text("frames");
      if (!folder.empty()) write_frame(simulation.bodies(), heap.width, folder + "/frame" + std::to_string(step / every) + ".csv");
    }
    if (step >= steps) break;
    const auto begin = std::chrono::steady_clock::now();
    simulation.step();
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
  std::fprintf(stderr, "%s, %zu %s, %ld steps in %.3f s\n", exec.name(), heap.bodies.x.size(), options.text("shape").c_str(), steps,
               seconds);
}

template <class Exec>
void run_shape(const Exec& exec, const dem::Options& options) {
  if (options.is("shape", "capsules")) run<dem::Capsule>(exec, options);
  else if (options.is("shape", "superellipsoids")) run<dem::SuperellipsoidBody>(exec, options);
  else throw std::invalid_argument("shape=" + options.text("shape") + ": there are capsules and superellipsoids");
}

}  // namespace

int main(int argc, char* argv[]) {
  try {
    const dem::Options options(argc, argv, {{"shape", "capsules"}, {"particles", "400"}, {"side", "3"}, {"steps", "60000"},
                                            {"report", "20000"}, {"seed", "1"}, {"exec", "openmp"}, {"frames", ""}});
    if (options.is("exec", "serial")) run_shape(hgrid::SerialExec{}, options);
    else run_shape(hgrid::OpenMPExec{}, options);
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "bodies: %s\n", e.what());
    return 1;
  }
}
