// SPDX-License-Identifier: BSD-3-Clause
#include "io/vtk_legacy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "hgrid/core/error.hpp"
#include "io/fields.hpp"
#include "io/line_reader.hpp"
#include "io/printable.hpp"
#include "io/vtk_columns.hpp"
#include "io/vtk_values.hpp"

namespace hgrid::io {
namespace {

bool same(std::string_view word, std::string_view key) {  // keys may be in any case
  return std::ranges::equal(word, key, [](char a, char b) { return (a >= 'a' && a <= 'z' ? a - 'a' + 'A' : a) == b; });
}

class VtkFile {
 public:
  VtkFile(ByteSource& source, const ReadOptions& options) : words_(source), columns_(options) {}

  ParticleTable read() {
    read_head();
    for (std::string word; !(word = words_.word()).empty();) read_section(word);
    if (count_ < 0) words_fail("the file has no POINTS");
    return table();
  }

 private:
  [[noreturn]] void words_fail(const std::string& reason) const { fail_at_line(words_.name(), words_.number(), reason); }

  void read_head() {
    std::string_view line;
    words_.line(line);
    const std::size_t version = line.find("Version ");
    has_offsets_ = version != line.npos && line.substr(version + 8) >= "5";
    words_.line(line);  // a title
    const std::string format(words_.word());
    if (!same(format, "ASCII") && !same(format, "BINARY")) {
      words_fail(fmt::format("expected ASCII or BINARY, found '{}'", printable(format)));
    }
    is_binary_ = same(format, "BINARY");
    if (!same(words_.word(), "DATASET")) words_fail("expected DATASET and its kind");
    const std::string kind(words_.word());
    if (same(kind, "POLYDATA") || same(kind, "UNSTRUCTURED_GRID")) return;
    words_fail(
        fmt::format("DATASET {} has no particles; points are POLYDATA or an UNSTRUCTURED_GRID (in ParaView: Cell Centers)",
                    printable(kind, 40)));
  }

  std::int64_t read_count(const char* what) {
    const std::string word(words_.word());
    std::int64_t count;
    if (!parse_count(word, count)) words_fail(fmt::format("'{}' is no count of {}", printable(word), what));
    return count;
  }

  VtkType read_type() {
    const std::string word(words_.word());
    if (const auto type = vtk_type_of(word)) return *type;
    words_fail(fmt::format("'{}' is no type of numbers", printable(word)));
  }

  /// Skips values, or calls f(k, value) for each.
  template <class F>
  void values(const VtkType& type, std::int64_t count, std::int64_t components, const std::string& of, F&& f) {
    if (components < 0 || count > (std::int64_t{1} << 56) / std::max<std::int64_t>(1, components)) {
      words_fail(fmt::format("{} declares more values than any file holds", printable(of, 40)));
    }
    read_vtk_values(words_, is_binary_, type, count * components, printable(of, 40), std::forward<F>(f));
  }
  void pass_over(const VtkType& type, std::int64_t count, std::int64_t components, const std::string& of) {
    values(type, count, components, of, [](std::int64_t, double) {});
  }
  void end_line() {
    std::string_view rest;
    if (is_binary_) words_.line(rest);  // the bytes follow
  }

  void read_section(const std::string& key) {
    static constexpr std::string_view cells[] = {"VERTICES", "LINES", "POLYGONS", "TRIANGLE_STRIPS", "CELLS"};
    static constexpr std::string_view ignored[] = {"VECTORS", "NORMALS", "TENSORS", "TENSORS6"};
    static constexpr std::int64_t components[] = {3, 3, 9, 6};
    const auto vectors = std::ranges::find_if(ignored, [&](std::string_view name) { return same(key, name); });
    if (same(key, "POINTS")) return read_points();
    if (std::ranges::any_of(cells, [&](std::string_view name) { return same(key, name); })) return read_cells(key);
    if (same(key, "METADATA")) return pass_over_metadata();
    if (same(key, "FIELD")) return read_field();
    if (same(key, "POINT_DATA") || same(key, "CELL_DATA")) return begin_data(same(key, "POINT_DATA"));
    if (same(key, "CELL_TYPES")) {
      const std::int64_t count = read_count("cells");
      end_line();
      return pass_over(vtk_int, count, 1, key);
    }
    if (data_ == Data::none)
      words_fail(fmt::format("expected a section like POINTS or POINT_DATA, found '{}'", printable(key)));
    if (same(key, "SCALARS")) return read_scalars();
    if (same(key, "LOOKUP_TABLE")) return pass_over_colours(false);
    if (same(key, "COLOR_SCALARS")) return pass_over_colours(true);
    const bool texture = same(key, "TEXTURE_COORDINATES"), id = same(key, "GLOBAL_IDS") || same(key, "PEDIGREE_IDS");
    if (vectors == std::end(ignored) && !texture && !id) {
      words_fail(
          fmt::format("expected an array like SCALARS or FIELD, found '{}'; or the one before has more values than it declares",
                      printable(key)));
    }
    const std::string name(words_.word());
    const std::int64_t width = texture ? read_count("components") : id ? 1 : components[vectors - std::begin(ignored)];
    const VtkType type = read_type();
    end_line();
    pass_over(type, data_count_, width, name);
  }

  void read_points() {
    if (count_ >= 0) words_fail("a second POINTS");
    count_ = read_count("points");
    const VtkType type = read_type();
    end_line();
    values(type, count_, 3, "POINTS", [&](std::int64_t k, double value) { columns_.add(static_cast<int>(k % 3), value); });
  }

  void read_cells(const std::string& key) {
    const std::int64_t cells = read_count("cells"), numbers = read_count("numbers");
    if (!has_offsets_) {
      end_line();
      return pass_over(vtk_int, numbers, 1, key);
    }
    for (const auto& [part, count] : {std::pair{"OFFSETS", cells}, std::pair{"CONNECTIVITY", numbers}}) {
      if (!same(words_.word(), part)) words_fail(fmt::format("expected {} of {}", part, printable(key)));
      const VtkType type = read_type();
      end_line();
      pass_over(type, count, 1, part);
    }
  }

  /// Skips additional facts about an array, which end at a blank line.
  void pass_over_metadata() {
    std::string_view rest;
    words_.line(rest);
    while (words_.line(rest) && !trim(rest).empty()) {
    }
  }

  void begin_data(bool of_points) {
    if (count_ < 0) words_fail("arrays come before POINTS");
    data_ = of_points ? Data::points : Data::cells;
    data_count_ = read_count("values");
    if (of_points && data_count_ != count_) {
      words_fail(fmt::format("POINT_DATA has {}, but there are {}", detail::counted(data_count_, "value"),
                             detail::counted(count_, "point")));
    }
  }

  void read_scalars() {
    const std::string name(words_.word());
    const VtkType type = read_type();
    std::string_view rest;
    std::int64_t components = 1;
    words_.line(rest);
    if (const std::string width(trim(rest)); !width.empty() && !parse_count(width, components)) {
      words_fail(fmt::format("'{}' is no count of components", printable(width)));
    }
    if (words_.skip_word("LOOKUP_TABLE", is_binary_)) words_.line(rest);
    read_array(name, type, components, data_count_);
  }

  void read_field() {
    words_.word();  // a name of the field, without meaning
    for (std::int64_t left = read_count("arrays"); left > 0; --left) {
      std::string name(words_.word());
      if (same(name, "METADATA")) {
        pass_over_metadata();
        name = words_.word();
      }
      if (name.empty()) words_fail(fmt::format("the file ends before {} of FIELD", detail::counted(left, "array")));
      const std::int64_t components = read_count("components"), count = read_count("values");
      const VtkType type = read_type();
      end_line();
      read_array(name, type, components, count);
    }
  }

  void read_array(const std::string& encoded, const VtkType& type, std::int64_t components, std::int64_t count) {
    const std::string name = vtk_name_of(encoded);
    const bool fits = data_ == Data::points && count == count_;
    if (data_ == Data::cells && components == 1) columns_.found_of_cells(name);
    if (data_ == Data::points) columns_.found(name);
    if (const int column = fits ? columns_.columns_of(name, components) : -1; column >= 0) {
      if (columns_.size_of(column) > 0) words_fail(fmt::format("a second array {}", printable(name, 40)));
      return values(type, count, components, name,
                    [&](std::int64_t k, double value) { columns_.add(column + static_cast<int>(k % components), value); });
    }
    const bool of_file = data_ == Data::none && components * count == 1;
    values(type, count, components, name, [&](std::int64_t, double value) {
      if (of_file && (same(name, "TIME") || name == "TimeValue")) time_ = value;
      if (of_file && same(name, "CYCLE") && value >= 0 && value < 9e15) step_ = static_cast<std::int64_t>(value);
    });
  }

  /// Skips a table of colours, or colours instead of an array: bytes or, in a text, numbers.
  void pass_over_colours(bool of_data) {
    const std::string name(words_.word());
    const std::int64_t count = of_data ? data_count_ : read_count("colours"), width = of_data ? read_count("components") : 4;
    end_line();
    pass_over(vtk_byte, count, width, name);
  }

  ParticleTable table() {
    ParticleTable table = columns_.table(words_.name(), words_.number());
    table.time = time_, table.step = step_;
    return table;
  }

  enum class Data { none, points, cells };

  WordReader words_;
  bool is_binary_ = false, has_offsets_ = false;
  std::int64_t count_ = -1, data_count_ = 0;  // of points, and of the items that have arrays
  Data data_ = Data::none;
  VtkColumns columns_;
  std::optional<double> time_;
  std::optional<std::int64_t> step_;
};

}  // namespace

ParticleTable read_vtk_legacy(ByteSource& source, const ReadOptions& options) { return VtkFile(source, options).read(); }

}  // namespace hgrid::io
