// SPDX-License-Identifier: BSD-3-Clause
// hgrid._core: the functions of hgrid.h for arrays of Python, called by the package's Python code. Users see hgrid/*.py.
#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "python/list.hpp"
#include "python/predicate.hpp"

using namespace nb::literals;

namespace hgrid::python {
namespace {

/// Raises an error of hgrid; hgrid/_errors.py says of which class. If a signal's handler raised an exception, raises that
/// instead.
void raise_error(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const DoorError& e) {
    if (PyErr_Occurred() != nullptr) return;
    const nb::object error = nb::module_::import_("hgrid._errors")
                                 .attr("error_of")(e.code, e.message, e.argument, e.index, e.value, e.count, e.needed);
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error.ptr())), error.ptr());
  }
}

/// Adds the members common to all lists that follow another one.
template <class List>
nb::class_<List> followed(nb::class_<List> list) {
  return list.def("sizes", [](List& l) { return l.sizes(); })
      .def("origins", [](List& l) { return l.origins(); })
      .def(
          "carry", [](List& l, const Array& values, const nb::object& fresh) { return l.carry(values, fresh); },
          "values"_a.none(), "fresh"_a.none());
}

}  // namespace

NB_MODULE(_core, m) {
  nb::register_exception_translator(raise_error);
  m.attr("__version__") = hgrid_version();
  m.def("instructions", &hgrid_instructions);
  m.def("largest", &largest_of);
  m.def("take_raised", &Predicate::take);
  m.def("load", [](const std::string& library) { door_of(library); });
  m.attr("door") = nb::capsule(&own_door());  // for hgrid._xla

  nb::class_<HeldBox>(m, "Box").def(
      nb::init<std::vector<double>, std::vector<double>, std::vector<double>, std::vector<double>, std::vector<bool>>());

  nb::class_<HeldParticles>(m, "Particles").def(nb::init<nb::dict, double, std::int32_t, std::int32_t, bool, std::int32_t>());

  nb::class_<Grid>(m, "Grid")
      .def(nb::new_([](const std::string& library, int device_id, std::uintptr_t stream, int dimension, const HeldBox* box,
                       int threads, std::array<int, 4> rule_direction_keys_table,
                       const std::vector<std::vector<double>>& levels) {
             return std::make_shared<Grid>(library, device_id, stream, dimension, box, threads, rule_direction_keys_table,
                                           levels);
           }),
           "library"_a, "device_id"_a, "stream"_a, "dimension"_a, "box"_a.none(), "threads"_a, "rule_direction_keys_table"_a,
           "levels"_a)
      .def("set_box",
           [](Grid& g, const HeldBox& box) {
             const hgrid_box given = box.get();
             g.run([&] { g.door().require(g.door().set_box(g.get(), &given)); });
           })
      .def("set_boxes",
           [](Grid& g, const std::vector<const HeldBox*>& boxes) {
             std::vector<hgrid_box> given;
             for (const HeldBox* const box : boxes) given.push_back(box->get());
             g.run([&] { g.door().require(g.door().set_boxes(g.get(), given.data(), std::ssize(given))); });
           })
      .def("build", &Grid::build)
      .def("forget", &Grid::forget)
      .def("valid",
           [](Grid& g, const HeldParticles& now) {
             auto report = sized<hgrid_validity_report>();
             g.run([&] { g.door().require(g.door().validity(g.get(), &now.get(), &report)); });
             return report.holds == 1;
           })
      .def("wait", [](Grid& g) { g.run([&] { g.door().require(g.door().wait(g.get())); }); })
      .def("count",
           [](Grid& g) {
             std::int64_t number = 0;
             g.run([&] { g.door().require(g.door().count(g.get(), &number)); });
             return number;
           })
      .def("pairs", &pairs)
      .def("neighbors", &neighbours)
      .def("packed_neighbors", &packed_neighbours)
      .def("entries", &entries)
      .def("near", &near)
      .def("matrix", &matrix)
      .def("query", &query, "lo"_a, "hi"_a.none(), "radius"_a.none(), "one_radius"_a, "world"_a.none(), "take"_a,
           "radius_scale"_a, "counts"_a, "dimension"_a)
      .def("between", &between, "asking"_a, "pairs"_a.none(), "begin"_a.none(), "ids"_a.none(), "counts"_a, "dimension"_a)
      .def("nearest", &nearest, "x"_a.none(), "world"_a.none(), "k"_a, "by_surfaces"_a, "within"_a, "images"_a, "counts"_a,
           "dimension"_a)
      .def("touches", &touches, "x"_a, "r"_a, "world"_a.none())
      .def("insert", &insert, "x"_a, "r"_a, "world"_a.none(), "if_free"_a)
      .def("put", &put)
      .def("list_ids", &list_ids)
      .def("plan", &plan)
      .def("save", [](Grid& g) { return g.saved(g.door().save, g.get()); })
      .def("restore", [](Grid& g, const nb::bytes& bytes) {
        const void* const data = bytes.data();
        const auto size = static_cast<std::int64_t>(bytes.size());
        g.run([&] { g.door().require(g.door().restore(g.get(), data, size)); });
      });

  followed(nb::class_<List>(m, "List"))
      .def(nb::init<Held, int, double, bool, bool, int, bool>())
      .def("update", &List::update, "now"_a, "widened"_a.none())
      .def("build", &List::build)
      .def("enqueue", &List::enqueue)
      .def("wait", &List::wait)
      .def("in_graphs", &List::in_graphs)
      .def("neighbors", &List::neighbours)
      .def("periods", &List::periods)
      .def("entries", &List::entries)
      .def("counters", &List::counters)
      .def("save", &List::save)
      .def("restore", &List::restore);

  followed(nb::class_<Mesh>(m, "Mesh"))
      .def(nb::init<Held, const Array&, const Array&>(), "grid"_a, "vertices"_a, "corners"_a.none())
      .def("contacts", &Mesh::contacts)
      .def("vertices", &Mesh::vertices)
      .def("move", &Mesh::move);
}

}  // namespace hgrid::python
