// SPDX-License-Identifier: BSD-3-Clause
// Each rank reads a part of the file, and at the end has the contacts whose first particle is in that part. So the contacts of
// all ranks, one rank after the other, are sorted. If there is an error, rank 0 reads the whole file, which reports it.
#include <filesystem>

#include "contacts.hpp"
#include "ranks.hpp"

namespace hgrid::tool {

bool may_be_read_in_parts(const ContactsOptions& o) {
  const io::OutputFormat format = pair_format(o);
  const bool is_row_by_row = format == io::OutputFormat::csv || format == io::OutputFormat::npy;
  std::error_code not_there;  // the reader reports the error
  const bool can_be_read_again =
      o.files.size() == 1 && std::filesystem::is_regular_file(o.files[0], not_there);  // a pipe cannot
  return launched_ranks() > 1 && o.backend.value_or(Backend::mpi) == Backend::mpi && !o.demo && can_be_read_again &&
         is_row_by_row && !o.frames && !o.algorithm && o.rule == Rule::sum && o.exclude.empty() && o.chosen.empty() &&
         o.walls.empty() && o.particles_out.empty();
}

}  // namespace hgrid::tool

#ifdef HGRID_HAS_MPI

#include <utility>

#include "io/file_part.hpp"
#include "rank_part.hpp"
#include "seconds.hpp"

namespace hgrid::tool {
namespace {

/// Returns whether f() throws on no rank.
template <class F>
bool succeeds(const F& f) {
  int good = 1;
  try {
    f();
  } catch (const std::exception&) {
    good = 0;
  }
  MPI_Allreduce(MPI_IN_PLACE, &good, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  return good != 0;
}

/// Reduces numbers over all ranks; all ranks get the result.
void reduce(std::span<double> values, MPI_Op op) {
  MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE, op, MPI_COMM_WORLD);
}
void reduce(ExactSum& sum) {
  const std::span<std::uint64_t> digits = sum.digits();
  MPI_Allreduce(MPI_IN_PLACE, digits.data(), static_cast<int>(digits.size()), MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
}

/// Returns where the values of each rank begin among the values of all ranks; the last entry is their number.
std::vector<std::int64_t> begins_of(std::int64_t own) {
  std::vector<std::int64_t> begins(static_cast<std::size_t>(all_ranks()) + 1);
  MPI_Allgather(&own, 1, MPI_INT64_T, begins.data() + 1, 1, MPI_INT64_T, MPI_COMM_WORLD);
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  return begins;
}

class Parts {
 public:
  /// Collective.
  explicit Parts(const ContactsOptions& o) {
    good_ = succeeds([&] {
      auto part = read_part(o, {this_rank(), all_ranks()});
      if (!part) throw Error(ErrorCode::unsupported, "the file is read as a whole");
      part_ = std::move(*part);
      options_ = search_options(o, part_);
    });
    if (!good_) return;
    rows_ = begins_of(part_.size());
    skipped_ = sum_of_all(part_.skipped_rows);
    good_ = rows_.back() > 0 && rows_.back() <= most_particles;
    bounds_.add(part_, options_.dimension);
    reduce(bounds_.half_min, MPI_MIN), reduce(bounds_.half_max, MPI_MAX);
    reduce(bounds_.lo, MPI_MIN), reduce(bounds_.from, MPI_MIN);
    reduce(bounds_.hi, MPI_MAX), reduce(bounds_.to, MPI_MAX);
    ExactSum filled = filled_by(part_, options_.dimension);
    reduce(filled);
    filled_ = filled.value();
  }
  ~Parts() {
    if (serving_ && this_rank() == 0) ask_all({.count = -1});
  }

  bool is_good() const { return good_; }
  const io::ParticleTable& part() const { return part_; }
  const SearchOptions& options() const { return options_; }

  void describe(Report& report) const {
    report.particles = rows_.back();
    report.skipped_rows = skipped_;
    report.sizes = sizes_of(bounds_, filled_, options_.box, options_.dimension);
    report.parts = all_ranks();
  }

  bool search(bool count_only, Progress& progress, Report& report) {
    std::unique_ptr<RankPart> grid;
    double start = now();
    const auto take_time = [&] {
      const double before = std::exchange(start, now());
      return start - before;
    };
    progress.step("planning levels and building");
    const bool built = succeeds([&] {
      const SearchOptions& s = options_;
      grid = make_part(command_of(s), s.grid.levels);
      grid->share_out(particles_of<3>(part_), rows_[static_cast<std::size_t>(this_rank())], s.skin);
      for (auto* column : {&part_.x, &part_.y, &part_.z, &part_.r}) *column = {};  // the grid has them
      grid->build(s.skin);
      report.seconds.plan = take_time();
      grid->build(s.skin);  // the first build's time includes planning
    });
    if (!built) return false;
    report.seconds.build = take_time();
    report.seconds.plan = std::max(0.0, report.seconds.plan - report.seconds.build);
    progress.step("searching");
    if (count_only) {
      report.pairs = grid->count();
    } else if (!take_contacts(*grid, report)) {
      return false;
    }
    report.seconds.search = take_time();
    grid->describe(report);
    report.ranks = all_ranks();
    report.bytes += report.pairs * static_cast<std::int64_t>(count_only ? 0 : sizeof(MeasuredContact));
    return true;
  }

  io::PairSource pairs() {
    return {begins_.back(), [this](std::int64_t first, std::span<io::PairRow> rows) { fill(first, rows); }};
  }

  /// Runs on the other ranks, until the first one has no more questions.
  void serve() {
    if (!serving_) return;
    for (Question question;;) {
      MPI_Recv(&question, sizeof question, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (question.count < 0) return;
      MPI_Send(contacts_.data() + question.first, static_cast<int>(question.count), type_, 0, 2, MPI_COMM_WORLD);
    }
  }

 private:
  /// A request for contacts of a rank, by their number there.
  struct Question {
    std::int64_t first = 0, count = 0;
  };

  static void ask(int rank, const Question& question) {
    MPI_Send(&question, sizeof question, MPI_BYTE, rank, 1, MPI_COMM_WORLD);
  }
  static void ask_all(const Question& question) {
    for (int rank = 1; rank < all_ranks(); ++rank) ask(rank, question);
  }

  bool take_contacts(RankPart& grid, Report& report) {
    std::vector<std::int32_t> of_particles;
    const bool sorted = succeeds([&] { contacts_ = grid.measured(options_.skin, of_particles); });
    if (!sorted || !succeeds([&] { send_home(); })) return false;
    begins_ = begins_of(static_cast<std::int64_t>(contacts_.size()));
    report.pairs = begins_.back();
    Analysis& a = report.analysis.emplace();
    OverlapSums overlaps;
    for (const MeasuredContact& c : contacts_) {
      if (options_.skin > 0 && c.overlap < 0) continue;  // as in `analyse`
      ++a.contacts;
      overlaps.add(c.overlap, c.diameter);
    }
    a.contacts = sum_of_all(a.contacts);
    reduce(overlaps.sum), reduce({&overlaps.most, 1}, MPI_MAX);
    overlaps.compared = sum_of_all(overlaps.compared);
    ContactSums sums;
    sums.add(of_particles, options_.dimension);
    sums = {sum_of_all(sums.all), sum_of_all(sums.of_others), sum_of_all(sums.rattlers)};
    finish(a, overlaps, sums, rows_.back());
    serving_ = true;
    return true;
  }

  // Sends contacts to the ranks that have read their first particles.
  void send_home() {
    all_or_none([&] { require_countable(std::ssize(contacts_)); });
    const auto ranks = static_cast<std::size_t>(all_ranks());
    std::vector<int> sent(ranks), come(ranks), from(ranks + 1), to(ranks + 1);
    auto at = contacts_.begin();
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      const auto end = std::ranges::lower_bound(at, contacts_.end(), rows_[rank + 1], {}, &MeasuredContact::i);
      sent[rank] = static_cast<int>(end - at), at = end;
    }
    MPI_Alltoall(sent.data(), 1, MPI_INT, come.data(), 1, MPI_INT, MPI_COMM_WORLD);
    std::vector<MeasuredContact> home;
    all_or_none([&] {
      const auto all = std::accumulate(come.begin(), come.end(), std::int64_t{0});
      require_countable(all);
      home.resize(static_cast<std::size_t>(all));
    });
    std::partial_sum(sent.begin(), sent.end(), from.begin() + 1);
    std::partial_sum(come.begin(), come.end(), to.begin() + 1);
    MPI_Alltoallv(contacts_.data(), sent.data(), from.data(), type_, home.data(), come.data(), to.data(), type_,
                  MPI_COMM_WORLD);
    contacts_ = {};
    std::sort(home.begin(), home.end());
    contacts_.swap(home);
  }

  void fill(std::int64_t first, std::span<io::PairRow> rows) {
    for (std::size_t done = 0; done < rows.size();) {
      const auto next = first + static_cast<std::int64_t>(done);
      const auto rank = std::ranges::upper_bound(begins_, next) - begins_.begin() - 1;
      const auto at = static_cast<std::size_t>(rank);
      const Question question{next - begins_[at],
                              std::min(begins_[at + 1] - next, static_cast<std::int64_t>(rows.size() - done))};
      const MeasuredContact* from = contacts_.data() + question.first;
      if (rank > 0) {
        came_.resize(static_cast<std::size_t>(question.count));
        ask(static_cast<int>(rank), question);
        MPI_Recv(came_.data(), static_cast<int>(question.count), type_, static_cast<int>(rank), 2, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        from = came_.data();
      }
      for (std::int64_t k = 0; k < question.count; ++k, ++done)
        rows[done] = {{from[k].i, from[k].j, from[k].image}, from[k].overlap};
    }
  }

  ContactType<MeasuredContact> type_;
  bool good_ = false, serving_ = false;
  io::ParticleTable part_;
  SearchOptions options_;
  std::vector<std::int64_t> rows_, begins_;  // where each rank's particles and contacts begin
  std::int64_t skipped_ = 0;
  SizeBounds bounds_;
  double filled_ = 0;
  std::vector<MeasuredContact> contacts_, came_;
};

}  // namespace

std::optional<Report> search_in_parts(const ContactsOptions& o, Outputs& out, Progress& progress) {
  const double reading = now();
  send({.task = Task::parts});
  Parts parts(o);
  if (!parts.is_good()) return std::nullopt;
  const double read = now() - reading;
  Report report = report_on_input(o, parts.part(), parts.options());
  report.seconds.read = read;
  parts.describe(report);
  if (!parts.search(o.count, progress, report)) return std::nullopt;
  if (!o.count) {
    const io::PairSource pairs = parts.pairs();
    out.write({pairs, parts.part(), parts.options().box, report.analysis->particle}, progress, report);
  }
  return report;
}

void help_in_parts(const ContactsOptions& o) {
  Parts parts(o);
  Progress silent(false);
  Report unused;
  if (!parts.is_good() || !parts.search(o.count, silent, unused)) return;
  parts.serve();
}

}  // namespace hgrid::tool

#else

namespace hgrid::tool {
std::optional<Report> search_in_parts(const ContactsOptions&, Outputs&, Progress&) { return std::nullopt; }
void help_in_parts(const ContactsOptions&) {}
}  // namespace hgrid::tool

#endif
