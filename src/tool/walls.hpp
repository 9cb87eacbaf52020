// SPDX-License-Identifier: BSD-3-Clause
// contacts --walls: particles against the triangles of a file.
#pragma once

#include "contacts.hpp"
#include "io/atomic_file.hpp"

namespace hgrid::tool {

/// Finds the contacts of particles with the walls that the options name, reports them, and writes them as
/// rows ball,facet,overlap if there is a file.
void search_walls(const ContactsOptions& o, const io::ParticleTable& table, const SearchOptions& options, io::AtomicFile* out,
                  Progress& progress, Report& report);

}  // namespace hgrid::tool
