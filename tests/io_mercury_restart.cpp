// SPDX-License-Identifier: BSD-3-Clause
// MercuryDPM's .restart in all versions (tests/reliability/README.md, rows 79 to 81).
#include "io/mercury_restart.hpp"

#include "io_support.hpp"

namespace hgrid::io::test {
namespace {

using Column = std::vector<double>;

struct Restarts : Folder {};

constexpr const char* restart =
    "restart_version 1.0 name Test\n"
    "xMin 0 xMax 1 yMin 0 yMax 2 zMin -1 zMax 3\n"
    "timeStep 0.0001 time 0.25 ntimeSteps 10001 timeMax 1\n"
    "systemDimensions 3 particleDimensions 3 gravity 0 0 0\n"
    "Walls 1\n"
    "InfiniteWall id 0 indSpecies 0 position 9 9 9 normal 1 0 0 radius 3\n"
    "Boundaries 1\n"
    "PeriodicBoundary id 0 normal 0 1 0 distanceLeft 0.5 distanceRight 1.5 shift 0 1 0\n"
    "Particles 2\n"
    "BaseParticle id 7 indSpecies 0 position 1 2 3 velocity 0 0 0 radius 0.5 invMass 1\n"
    "BaseParticle id 3 indSpecies 0 position 4 5 6 orientation 0 0 0 0 radius 0.25 invMass 1\n"
    "Interactions 0\n";

TEST_F(Restarts, WithKeys) {
  const ParticleTable table = read(restart);
  EXPECT_EQ(table.id, (std::vector<std::int64_t>{3, 7}));
  EXPECT_EQ(table.x, (Column{4, 1}));
  EXPECT_EQ(table.z, (Column{6, 3}));
  EXPECT_EQ(table.r, (Column{0.25, 0.5}));
  EXPECT_EQ(table.box, (BoxBounds{{0, 0.5, -1}, {1, 1.5, 3}}));
  EXPECT_EQ(table.periodic, "y");
  EXPECT_EQ(table.time, 0.25);
  const auto with = [](const std::string& what, const std::string& by) {
    std::string text = restart;
    return text.replace(text.find(what), what.size(), by);
  };
  EXPECT_EQ(read(with("systemDimensions 3", "systemDimensions 2")).dimension, 2);
  expect_error(ErrorCode::format, {"line 12", "an id, a position"}, [&] { read(with("Particles 2", "Particles 3")); });
  expect_error(ErrorCode::format, {"line 11", "the file declares 9 particles, but ends after 2"},
               [&] { read(with("Particles 2", "Particles 9").substr(0, std::string(restart).find("Interactions"))); });
  expect_error(ErrorCode::format, {"line 11", "an id, a position"}, [&] { read(with("radius 0.25", "")); });
  expect_error(ErrorCode::format, {"line 10", "'one'"}, [&] { read(with("position 1", "position one")); });
  expect_error(ErrorCode::format, {"line 9", "no count"}, [&] { read(with("Particles 2", "Particles -2")); });
  expect_error(ErrorCode::format, {"ends before 'Particles'"}, [&] { read(with("Particles 2", "")); });
}

constexpr const char* old_restart =
    "restart_version 3\n"
    "name Test\n"
    "xmin 0 xmax 1 ymin 0 ymax 2 zmin -1 zmax 3\n"
    "dt 0.0001 t 0.25 tmax 1 save_count_data 5\n"
    "dim 3 gravity 0 0 -1\n"
    "Species 1\n"
    "k 2000 disp 0 kt 0 dispt 0 mu 0 rho 2 dim_particle 3\n"
    "Walls 1\n"
    "numFiniteWalls 0 normal -1 0 0 position 0\n"
    "WallsPeriodic 1\n"
    "normal 0 1 0 pos_left 0.5 pos_right 1.5 shift 0 1 0\n"
    "Particles 2\n"
    "BP 1 2 3 0 0 0 0.5 0 0 0 0 0 0 1 1 0\n"
    "TSP BP 4 5 6 0 0 0 0.25 0 0 0 0 0 0 1 1 0\n"
    "FixedParticles 0\n";

TEST_F(Restarts, OfVersions2And3) {
  const auto with = [](const std::string& what, const std::string& by) {
    std::string text = old_restart;
    return text.replace(text.find(what), what.size(), by);
  };
  const std::string version_2 = with("BP 1 2 3", "1 2 3");
  for (const std::string& content : {std::string(old_restart), version_2}) {
    const ParticleTable table = read(content);
    EXPECT_TRUE(table.id.empty());
    EXPECT_EQ(table.x, (Column{1, 4}));
    EXPECT_EQ(table.z, (Column{3, 6}));
    EXPECT_EQ(table.r, (Column{0.5, 0.25}));
    EXPECT_EQ(table.box, (BoxBounds{{0, 0.5, -1}, {1, 1.5, 3}}));
    EXPECT_EQ(table.periodic, "y");
    EXPECT_EQ(table.time, 0.25);
    EXPECT_EQ(table.dimension, 3);
  }
  const ParticleTable flat = read(with("dim 3", "dim 2"));
  EXPECT_EQ(flat.dimension, 2);
  EXPECT_EQ(flat.z, (Column{0, 0}));
  EXPECT_EQ(read(with("normal 0 1 0 pos", "PeriodicBoundary normal 0 1 0 pos")).periodic, "y");
  EXPECT_EQ(read(std::string("restart_version 2\ndim 3\nParticles 0\nFixedParticles 2\n")).size(), 0);
  expect_error(ErrorCode::format, {"line 15", "x y z vx vy vz r"}, [&] { read(with("Particles 2", "Particles 3")); });
  expect_error(ErrorCode::format, {"line 14", "declares 1 particle, but has more"},
               [&] { read(with("Particles 2", "Particles 1")); });
  expect_error(ErrorCode::format, {"line 14", "x y z vx vy vz r"},
               [&] { read(with("6 0 0 0 0.25 0 0 0 0 0 0 1 1 0", "6 0 0")); });
  expect_error(ErrorCode::format, {"line 13", "column 4 (radius): 'big'"}, [&] { read(with("0.5 0 0 0 0", "big 0 0 0 0")); });
  expect_error(ErrorCode::format, {"line 14", "x y z vx vy vz r"}, [&] { read(with("TSP", "four")); });
  expect_error(ErrorCode::format, {"line 14", "ends after 2"},
               [&] { read(with("Particles 2", "Particles 9").substr(0, with("Particles 2", "Particles 9").find("Fixed"))); });
}

}  // namespace
}  // namespace hgrid::io::test
