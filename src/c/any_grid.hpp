// SPDX-License-Identifier: BSD-3-Clause
// A grid of any executor and dimension behind one interface, in the types of hgrid.h. Each combination is compiled once.
#pragma once

#include <memory>
#include <span>

#include "c/asked_predicate.hpp"
#include "c/inputs.hpp"
#include "c/results.hpp"

namespace hgrid::c {

/// `VerletList`, with its errors and errors of inputs.
class AnyVerlet {
 public:
  virtual ~AnyVerlet() = default;
  /// `widened` may be null. Returns whether the list is new.
  virtual bool update(const hgrid_particles* now, const hgrid_particles* widened) = 0;
  virtual void build(const hgrid_particles* particles) = 0;
  virtual void enqueue_update(const hgrid_particles* now, const hgrid_particles* widened) = 0;
  /// Returns whether the update must be captured.
  virtual bool wait(const hgrid_particles* now, const hgrid_particles* widened) = 0;
  virtual hgrid_list_guard guard() = 0;
  virtual hgrid_neighbour_list neighbours() const = 0;
  virtual const std::int32_t* periods() const = 0;
  virtual hgrid_history history() = 0;
  /// `fresh` may be null.
  virtual void carry(const hgrid_array* before, const hgrid_array* now, const void* fresh) = 0;
  virtual hgrid_verlet_counters counters() const = 0;
  virtual std::span<const std::byte> save() = 0;
  virtual void restore(std::span<const std::byte> checkpoint) = 0;
};

/// A `Mesh` as a query of a grid, with the errors of both and of inputs.
class AnyMesh {
 public:
  virtual ~AnyMesh() = default;
  /// Returns the vertices in memory of the grid's place; 3 numbers each.
  virtual std::pair<double*, std::int64_t> vertices() = 0;
  virtual hgrid_wall_list find(const hgrid_particles* now, double margin) = 0;
  virtual hgrid_history history() = 0;
  /// `fresh` may be null.
  virtual void carry(const hgrid_array* before, const hgrid_array* now, const void* fresh) = 0;
};

/// `Grid`, `Nearest` and `Insertions`, with their errors and errors of inputs. The grid owns the lists of answers, each until
/// the next of its kind, unless they are kept.
class AnyGrid {
 public:
  virtual ~AnyGrid() = default;
  virtual void set_box(const hgrid_box* box) = 0;
  virtual void set_boxes(const hgrid_box* boxes, std::int64_t count) = 0;
  virtual void watch(const hgrid_watch* watch) = 0;
  virtual void build(const hgrid_particles* particles, double skin) = 0;
  virtual std::uint64_t generation() const = 0;
  virtual hgrid_plan_report plan() = 0;
  virtual hgrid_level_report level(std::int32_t number) = 0;
  virtual hgrid_work_report work() = 0;
  virtual hgrid_validity_report validity(const hgrid_particles* now) = 0;
  virtual void wait() = 0;
  /// Writes the answer to a question. Returns the number of contacts, or for a matrix the largest number of one line.
  virtual offset_t find(const hgrid_question& question, const hgrid_answer& answer) = 0;
  virtual bool touches(const double* position, double radius, std::int32_t world) const = 0;
  /// Returns the id, or -1 if `if_free` and the position is not free.
  virtual std::int32_t insert(const double* position, double radius, std::int32_t world, bool if_free) = 0;
  virtual void measure(const hgrid_measured* measured) = 0;
  virtual void list_ids(const hgrid_array* offsets, const hgrid_array* lists) = 0;
  virtual void* scratch(std::int64_t bytes) = 0;
  /// Returns the owner of the last list; null: there is none.
  virtual Owner keep() = 0;
  virtual Owner allocate(std::int64_t bytes, void*& data) const = 0;
  virtual void copy(void* to, const void* from, std::int64_t bytes, int way) const = 0;
  virtual std::span<const std::byte> save() = 0;
  virtual void restore(std::span<const std::byte> checkpoint) = 0;
  /// Returns a list that refers to this grid.
  virtual std::unique_ptr<AnyVerlet> make_verlet(const hgrid_verlet_options& options) = 0;
  virtual std::unique_ptr<AnyMesh> make_mesh(const hgrid_triangles& triangles) = 0;

  Callbacks callbacks;
};

template <int D>
std::unique_ptr<AnyGrid> make_host_grid(const hgrid_options& options, const hgrid_box* box);

/// Only in a library with CUDA. Also throws `device`.
template <int D>
std::unique_ptr<AnyGrid> make_cuda_grid(const hgrid_options& options, const hgrid_box* box);

}  // namespace hgrid::c
