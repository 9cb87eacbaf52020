// SPDX-License-Identifier: BSD-3-Clause
// hgrid._core: what the package's Python code calls. Users see hgrid/*.py.
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "hgrid/host/simd_target.hpp"
#include "hgrid/version.hpp"
#include "python/handles.hpp"

using namespace nb::literals;

namespace hgrid::python {
namespace {

/// hgrid/_errors.py says which class an error has. If a signal's handler raised something, that is raised.
void raise_error(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& e) {
    if (PyErr_Occurred() != nullptr) return;
    const Error::Detail& d = e.detail();
    const nb::object error =
        nb::module_::import_("hgrid._errors")
            .attr("error_of")(name_of(e.code()), e.what(), d.argument, d.index, d.value, d.count, d.needed);
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error.ptr())), error.ptr());
  }
}

std::shared_ptr<HeldGrid> make_grid(int dimension, const BoxSpec& box, int threads, const std::string& rule,
                                    const std::vector<std::vector<double>>& levels, const std::string& direction,
                                    const std::string& keys, const std::string& table) {
  GridSpec spec{dimension, threads};
  spec.options.rule = choice<Rule>(rule, "rule");
  spec.options.direction = open_choice<Direction>(direction, "direction");
  spec.options.keys = open_choice<KeyOrder>(keys, "keys");
  spec.options.table = open_choice<TableKind>(table, "table");
  for (const std::vector<double>& level : levels) {
    LevelSpec l{level.at(0), {}};
    for (std::size_t k = 0; k < 3 && k + 1 < level.size(); ++k) l.cell_size[k] = level[k + 1];
    spec.options.levels.push_back(l);
  }
  auto grid = dimension == 2 ? make_grid_of<2>(spec, box) : make_grid_of<3>(spec, box);
  return std::make_shared<HeldGrid>(std::move(grid));
}

nb::bytes bytes_of(const std::vector<std::byte>& bytes) { return nb::bytes(bytes.data(), bytes.size()); }
std::span<const std::byte> span_of(const nb::bytes& bytes) {
  return {static_cast<const std::byte*>(bytes.data()), bytes.size()};
}

nb::object or_none(bool given, const nb::object& object) { return given ? object : nb::none(); }

nb::tuple tuple_of(const Rows& rows, int dimension) {
  return nb::make_tuple(array_of(rows.offsets), array_of(rows.neighbours),
                        or_none(rows.has_images, table_of(rows.images, rows.neighbours.size, 3, dimension)));
}

nb::tuple pairs(HeldGrid& grid, const std::string& order, bool distances, bool vectors, int dimension) {
  const Order sorted = choice<Order>(order, "order");
  const PairColumnsOf p = grid.run([&](AnyGrid& g) { return g.pairs(sorted, distances, vectors); });
  return nb::make_tuple(table_of(p.ids, p.size, 2, 2), or_none(p.has_images, table_of(p.images, p.size, 3, dimension)),
                        or_none(distances, array_of(p.distances)),
                        or_none(vectors, table_of(p.vectors, p.size, dimension, dimension)));
}

nb::tuple neighbours(HeldGrid& grid, const std::string& kind, int dimension) {
  const ListKind wanted = choice<ListKind>(kind, "kind");
  return tuple_of(grid.run([&](AnyGrid& g) { return g.neighbours(wanted); }), dimension);
}

nb::tuple tuple_of(const Entries& e, const EntriesAsked& asked, int dimension) {
  return nb::make_tuple(table_of(e.ids, 2, e.size, e.size), or_none(asked.images, table_of(e.images, e.size, 3, dimension)),
                        or_none(asked.distances, array_of(e.distances)),
                        or_none(asked.vectors, table_of(e.vectors, e.size, dimension, dimension)), array_of(e.offsets));
}

nb::tuple entries(HeldGrid& grid, const std::string& kind, bool itself, bool nearer, int row_of_centre, bool images,
                  bool distances, bool vectors, int dimension) {
  const ListKind wanted = choice<ListKind>(kind, "kind");
  const EntriesAsked asked{itself, nearer, row_of_centre, images, distances, vectors};
  return tuple_of(grid.run([&](AnyGrid& g) { return g.entries(wanted, asked); }), asked, dimension);
}

using Columns = nb::ndarray<std::int32_t, nb::c_contig, nb::device::cpu>;
using Reals = nb::ndarray<const double, nb::c_contig, nb::device::cpu>;
using Ids = nb::ndarray<const index_t, nb::c_contig, nb::device::cpu>;

offset_t matrix(HeldGrid& grid, const std::string& kind, Columns neighbours, Columns counts, Columns images,
                std::int32_t padding) {
  const ListKind wanted = choice<ListKind>(kind, "kind");
  const MatrixRoom room{neighbours.data(),
                        counts.data(),
                        images.is_valid() ? images.data() : nullptr,
                        static_cast<offset_t>(neighbours.shape(0)),
                        static_cast<offset_t>(neighbours.shape(1)),
                        padding};
  return grid.run([&](AnyGrid& g) { return g.matrix(wanted, room); });
}

nb::tuple query(HeldGrid& grid, Reals lo, Reals hi, Reals radius, Ids world, const std::string& take, double radius_scale) {
  const Take taken = choice<Take>(take, "take");
  const RegionSpec regions{lo.data(), hi.data(), radius.is_valid() ? radius.data() : nullptr,
                           world.is_valid() ? world.data() : nullptr, static_cast<offset_t>(lo.shape(0))};
  return tuple_of(grid.run([&](AnyGrid& g) { return g.query(regions, taken, radius_scale); }), static_cast<int>(lo.shape(1)));
}

nb::dict report(HeldGrid& grid) {
  const Report r = grid.run([](AnyGrid& g) { return g.report(); });
  nb::list levels;
  for (const LevelReport& l : r.levels) {
    levels.append(nb::make_tuple(l.radius_max, l.radius_bound, nb::make_tuple(l.cell_size[0], l.cell_size[1], l.cell_size[2]),
                                 l.particles));
  }
  nb::dict d;
  d["levels"] = levels, d["candidates"] = r.work.candidates, d["rows"] = r.work.rows;
  d["direction"] = r.direction, d["keys"] = r.keys, d["table"] = r.table;
  d["skin"] = r.skin, d["cost"] = r.cost, d["particles"] = r.particles, d["skipped"] = r.skipped;
  d["bytes"] = r.bytes, d["threads"] = r.threads, d["instructions"] = simd_target();
  return d;
}

nb::tuple validity(HeldGrid& grid, const HeldParticles& now) {
  const Validity v = grid.run([&](AnyGrid& g) { return g.validity(now.inputs()); });
  const bool some = v.dirty + v.changed > 0;
  return nb::make_tuple(v.holds(), v.excess, some ? v.first : -1, some ? v.value : 0.0);
}

/// A Verlet list and its grid, which it needs.
struct HeldVerlet {
  std::shared_ptr<HeldGrid> grid;
  std::unique_ptr<AnyVerlet> list;
};

std::shared_ptr<HeldVerlet> make_verlet(const std::shared_ptr<HeldGrid>& grid, const std::string& kind, double skin,
                                        bool choose_skin, bool rebuild, int check_every) {
  VerletOptions options;
  options.kind = choice<ListKind>(kind, "kind"), options.skin = skin, options.choose_skin = choose_skin;
  options.rebuild = rebuild, options.check_every = check_every;
  return std::make_shared<HeldVerlet>(HeldVerlet{grid, grid->run([&](AnyGrid& g) { return g.make_verlet(options); })});
}

void bind_verlet(nb::module_& m) {
  nb::class_<HeldVerlet>(m, "Verlet")
      .def(nb::new_(&make_verlet))
      .def("update",
           [](HeldVerlet& v, const HeldParticles& now, const HeldParticles& widened) {
             return v.grid->run([&](AnyGrid&) { return v.list->update(now.inputs(), widened.inputs()); });
           })
      .def("build", [](HeldVerlet& v,
                       const HeldParticles& particles) { v.grid->run([&](AnyGrid&) { v.list->build(particles.inputs()); }); })
      .def("neighbors",
           [](HeldVerlet& v, int dimension) {
             return tuple_of(v.grid->run([&](AnyGrid&) { return v.list->neighbours(); }), dimension);
           })
      .def("entries",
           [](HeldVerlet& v, const HeldParticles& now, bool images, bool distances, bool vectors, int dimension) {
             const EntriesAsked asked{false, true, 0, images, distances, vectors};
             return tuple_of(v.grid->run([&](AnyGrid&) { return v.list->entries(now.inputs(), asked); }), asked, dimension);
           })
      .def("origins",
           [](HeldVerlet& v) {
             offset_t before = 0;
             const auto from = v.grid->run([&](AnyGrid&) { return v.list->origins(before); });
             return nb::make_tuple(array_of(from), before);
           })
      .def("save", [](HeldVerlet& v) { return bytes_of(v.grid->run([&](AnyGrid&) { return v.list->save(); })); })
      .def("restore",
           [](HeldVerlet& v, const nb::bytes& bytes) {
             const auto checkpoint = span_of(bytes);
             v.grid->run([&](AnyGrid&) { v.list->restore(checkpoint); });
           })
      .def("counters", [](HeldVerlet& v) {
        const auto [c, skin] = v.grid->run([&](AnyGrid&) { return std::pair(v.list->counters(), v.list->skin()); });
        return nb::make_tuple(c.steps, c.checks, c.builds, c.dangerous, c.overtaken, c.disorder, skin);
      });
}

}  // namespace

NB_MODULE(_core, m) {
  nb::register_exception_translator(raise_error);
  m.attr("__version__") = HGRID_VERSION;
  m.def("instructions", &simd_target);

  nb::class_<BoxSpec>(m, "Box").def("__init__", [](BoxSpec* self, std::vector<double> lo, std::vector<double> hi,
                                                   std::vector<double> tilt, std::vector<double> vectors,
                                                   std::vector<double> cell, std::vector<bool> periodic) {
    new (self) BoxSpec{std::move(lo), std::move(hi), std::move(tilt), std::move(vectors), std::move(cell), std::move(periodic)};
  });

  nb::class_<HeldParticles>(m, "Particles")
      .def(nb::init<Array, Array, double, Array, Array, Array, int, std::int64_t, bool, Array, Array, Array, Array, Array,
                    std::int64_t>(),
           "x"_a, "radius"_a, "radius_scale"_a, "extra"_a.none(), "group"_a.none(), "active"_a.none(), "active_bits"_a,
           "owned"_a, "skip"_a, "excluded"_a.none(), "excluded_begin"_a.none(), "types"_a.none(), "cutoffs"_a.none(),
           "world"_a.none(), "worlds"_a);

  nb::class_<HeldGrid>(m, "Grid")
      .def(nb::new_(&make_grid))
      .def("set_box", [](HeldGrid& g, const BoxSpec& box) { g.run([&](AnyGrid& grid) { grid.set_box(box); }); })
      .def("set_boxes",
           [](HeldGrid& g, const std::vector<BoxSpec>& boxes) { g.run([&](AnyGrid& grid) { grid.set_boxes(boxes); }); })
      .def("build", &HeldGrid::build)
      .def("validity", &validity)
      .def("count", [](HeldGrid& g) { return g.run([](AnyGrid& grid) { return grid.count(); }); })
      .def("is_periodic", [](HeldGrid& g) { return g.run([](AnyGrid& grid) { return grid.is_periodic(); }); })
      .def("pairs", &pairs)
      .def("neighbors", &neighbours)
      .def("entries", &entries)
      .def("matrix", &matrix, "kind"_a, "neighbors"_a, "counts"_a, "images"_a.none(), "padding"_a)
      .def("query", &query, "lo"_a, "hi"_a, "radius"_a.none(), "world"_a.none(), "take"_a, "radius_scale"_a)
      .def("save", [](HeldGrid& g) { return bytes_of(g.run([](AnyGrid& grid) { return grid.save(); })); })
      .def("restore",
           [](HeldGrid& g, const nb::bytes& bytes) {
             const auto checkpoint = span_of(bytes);
             g.run([&](AnyGrid& grid) { grid.restore(checkpoint); });
           })
      .def("report", &report);
  bind_verlet(m);
}

}  // namespace hgrid::python
