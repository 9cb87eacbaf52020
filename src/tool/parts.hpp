// SPDX-License-Identifier: BSD-3-Clause
// hgrid contacts of a file that several ranks read, each a part of it: no rank has all particles or contacts.
#pragma once

#include <memory>
#include <optional>

#include "contacts.hpp"
#include "report.hpp"

namespace hgrid::tool {

/// Whether the options ask for nothing that needs all particles in one place.
bool may_be_read_in_parts(const ContactsOptions& o);

/// That which ranks do together: all of them call these in turn, rank 0 in `search_in_parts`, the others in `help_in_parts`.
class FileInParts {
 public:
  virtual ~FileInParts() = default;
  /// Rank 0's part, for what the file says beside its rows.
  virtual const io::ParticleTable& part() const = 0;
  virtual const SearchOptions& options() const = 0;
  /// Reports what the particles are.
  virtual void describe(Report& report) const = 0;
  /// Finds the contacts, and reports them. False where something is wrong: the file must then be read as a whole, which says
  /// what.
  virtual bool search(bool count_only, Progress& progress, Report& report) = 0;
  /// All contacts in order; those of other ranks are sent when they are asked for.
  virtual io::PairSource pairs() = 0;
};

/// On rank 0. Nothing where the file cannot be read in parts, or something is wrong with it.
std::unique_ptr<FileInParts> read_in_parts(const ContactsOptions& o);
/// On the others.
void help_in_parts(const ContactsOptions& o);

}  // namespace hgrid::tool
